import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { orpc } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { useNow } from '../../../run/live/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { PlusIcon } from '../../../ui/icons/actions.tsx';
import { ResizeHandle } from '../../../ui/resize-handle.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { conversationsPlace, removeConversation, renameConversation } from '../chat-actions.ts';
import { listWidths, selectConversation, setListWidth, useChat } from '../chat-store.ts';
import styles from './conversation-list.module.css';
import { ConversationRow, type RowState } from './conversation-row.tsx';
import { startConversation } from './conversation-settings.ts';
import { type ListLine, linesByDate } from './date-groups.ts';

/** The list of conversations, wired to main. */
export function ConversationNavigation() {
  const [search, setSearch] = useState('');
  const searched = useDeferredValue(search.trim().slice(0, 200));
  const selectedId = useChat((state) => state.selectedId);
  const query = useQuery(
    orpc.conversations.list.queryOptions({
      input: { search: searched, limit: 500 },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <ConversationList
      conversations={query.data ?? none}
      error={query.error === null ? null : toAppError(query.error)}
      selectedId={selectedId}
      search={search}
      onSearch={setSearch}
      onNew={startConversation}
      onSelect={selectConversation}
      onRename={(id, title) => void renameConversation(id, title)}
      onDelete={(conversation) => void removeConversation(conversation)}
    />
  );
}

const none: readonly ConversationSummary[] = [];

interface ConversationListProps {
  conversations: readonly ConversationSummary[];
  error: AppError | null;
  selectedId: string | null;
  search: string;
  onSearch: (search: string) => void;
  onNew: () => void;
  onSelect: (id: string) => void;
  onRename: (id: string, title: string) => void;
  onDelete: (conversation: ConversationSummary) => void;
}

function ConversationList(props: ConversationListProps) {
  const {
    conversations,
    error,
    selectedId,
    search,
    onSearch,
    onNew,
    onSelect,
    onRename,
    onDelete,
  } = props;
  const width = useChat((state) => state.listWidth);
  const nav = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const roving = useRovingList({
    name: conversationsPlace,
    keys: useMemo(() => conversations.map(({ id }) => id), [conversations]),
    currentKey: selectedId,
    textOf: (index) => conversations[index]?.title ?? '',
    scrollTo: (index) => list.current?.scrollToIndex(getLine(index), { align: 'nearest' }),
  });
  const today = new Date(useNow(60_000)).toDateString();
  // What was found is not in the order of dates alone.
  const lines = useMemo(
    (): readonly ListLine[] =>
      search === ''
        ? linesByDate(conversations, new Date(today))
        : conversations.map((conversation, index) => ({
            kind: 'conversation',
            conversation,
            index,
          })),
    [conversations, search, today],
  );
  const getLine = (index: number) =>
    lines.findIndex((line) => line.kind === 'conversation' && line.index === index);
  return (
    <nav ref={nav} className={styles.list} style={{ width }} aria-label="Conversations">
      <ResizeHandle
        label="Conversation list width"
        edge="right"
        size={width}
        {...listWidths}
        sizeAt={(event) => event.clientX - (nav.current?.getBoundingClientRect().left ?? 0)}
        onResize={setListWidth}
      />
      <div className={styles.head}>
        <Button icon={<PlusIcon />} shortcut="Mod+Shift+O" onClick={onNew}>
          New conversation
        </Button>
        <TextField
          label="Search conversations"
          hideLabel
          type="search"
          placeholder="Search"
          value={search}
          onValueChange={onSearch}
        />
      </div>
      {error !== null && <ErrorAlert error={error} compact />}
      <div ref={scroller} className={styles.rows} {...roving.listProps}>
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          bufferSize={400}
          keepMounted={conversations.length > 0 ? [getLine(roving.stop)] : []}
        >
          {lines.map((line) =>
            line.kind === 'heading' ? (
              <h2 key={line.title} className={styles.group}>
                {line.title}
              </h2>
            ) : (
              <ConversationRow
                key={line.conversation.id}
                tabIndex={roving.tabIndexOf(line.index)}
                conversation={line.conversation}
                state={getState(line.conversation)}
                isSelected={line.conversation.id === selectedId}
                onSelect={onSelect}
                onRename={onRename}
                onDelete={onDelete}
              />
            ),
          )}
        </Virtualizer>
        {conversations.length === 0 && error === null && (
          <p className={styles.none}>
            {search === '' ? 'No conversations yet' : 'No matching conversations'}
          </p>
        )}
      </div>
      <UndoBars place={conversationsPlace} className={styles.undo} />
    </nav>
  );
}

/** How its newest run goes, where that is worth a mark. */
function getState({ lastRunStatus }: ConversationSummary): RowState | null {
  switch (lastRunStatus) {
    case 'queued':
    case 'running':
      return 'running';
    case 'failed':
    case 'interrupted':
    case 'unknown':
      return 'failed';
    default:
      return null;
  }
}
