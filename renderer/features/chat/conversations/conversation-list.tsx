import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { isFinished } from '../../../../shared/run.ts';
import { orpc } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { useNow } from '../../../run/live/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { EditIcon, PlusIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { ResizeHandle } from '../../../ui/resize-handle.tsx';
import { focusRow, useRovingList } from '../../../ui/roving-list.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { conversationsUndoKey, removeConversation, renameConversation } from '../chat-actions.ts';
import { listWidths, selectConversation, setListWidth, useChat } from '../chat-store.ts';
import styles from './conversation-list.module.css';
import { startConversation } from './conversation-settings.ts';
import { groupByDate, type ListLine } from './date-groups.ts';

const none: readonly ConversationSummary[] = [];

export function ConversationNavigation() {
  const [search, setSearch] = useState('');
  const searched = useDeferredValue(search.trim().slice(0, 200));
  const selectedId = useChat((state) => state.selectedId);
  const { data: conversations = none, error } = useQuery(
    orpc.conversations.list.queryOptions({
      input: { search: searched, limit: 500 },
      placeholderData: keepPreviousData,
    }),
  );
  const width = useChat((state) => state.listWidth);
  const nav = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const roving = useRovingList({
    name: conversationsUndoKey,
    keys: useMemo(() => conversations.map(({ id }) => id), [conversations]),
    currentKey: selectedId,
    textOf: (index) => conversations[index]?.title ?? '',
    scrollTo: (index) => list.current?.scrollToIndex(getLine(index), { align: 'nearest' }),
  });
  const today = new Date(useNow(60_000)).toDateString();
  // Search results aren't sorted by date, so don't show date headings.
  const lines = useMemo(
    (): readonly ListLine[] =>
      search === ''
        ? groupByDate(conversations, new Date(today))
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
      <div className={`stack-8 ${styles.head}`}>
        <Button icon={<PlusIcon />} shortcut="Mod+Shift+O" onClick={startConversation}>
          New conversation
        </Button>
        <TextField
          label="Search conversations"
          hideLabel
          type="search"
          placeholder="Search"
          value={search}
          onValueChange={setSearch}
        />
      </div>
      {error !== null && <ErrorAlert error={toAppError(error)} compact />}
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
                neighborId={
                  (conversations[line.index + 1] ?? conversations[line.index - 1])?.id ?? null
                }
                isSelected={line.conversation.id === selectedId}
              />
            ),
          )}
        </Virtualizer>
        {conversations.length === 0 && error === null && (
          <p className={`caption ${styles.none}`}>
            {search === '' ? 'No conversations yet' : 'No matching conversations'}
          </p>
        )}
      </div>
      <UndoBars place={conversationsUndoKey} className={styles.undo} />
    </nav>
  );
}

interface ConversationRowProps {
  conversation: ConversationSummary;
  /** The element to focus if the row is deleted. */
  neighborId: string | null;
  isSelected: boolean;
  tabIndex: number;
}

const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, neighborId, isSelected, tabIndex } = props;
  const { lastRunStatus } = conversation;
  const isRunning = lastRunStatus !== null && !isFinished(lastRunStatus);
  const [renaming, setRenaming] = useState(false);
  const title = conversation.title === '' ? 'New conversation' : conversation.title;
  if (renaming) {
    return (
      <RenameField
        id={conversation.id}
        title={title}
        onDone={(newTitle) => {
          setRenaming(false);
          if (newTitle === null || newTitle === title) return;
          void renameConversation(conversation.id, newTitle);
        }}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the buttons inside.
    <div
      className={classNames(styles.row, isSelected && styles.selected)}
      data-row={conversation.id}
      onKeyDown={(event) => {
        if (event.key === 'F2') setRenaming(true);
        else if (event.key === 'Delete') {
          // Ignore key repeat, which would also delete the next row.
          if (!event.repeat) void removeConversation(conversation, neighborId);
        } else return;
        event.preventDefault();
      }}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.title}
        dir="auto"
        aria-current={isSelected ? 'true' : undefined}
        title={title}
        onClick={() => selectConversation(conversation.id)}
        onDoubleClick={() => setRenaming(true)}
      >
        <span>{title}</span>
        {conversation.match !== null && <span className={styles.match}>{conversation.match}</span>}
      </button>
      {isRunning && <Mark label="Running" isRunning />}
      {!isRunning && !quietStatuses.has(lastRunStatus) && <Mark label="Last answer failed" />}
      <Menu
        label={`Actions for ${title}`}
        size="small"
        tabIndex={-1}
        items={[
          {
            id: 'rename',
            label: 'Rename',
            shortcut: 'F2',
            icon: <EditIcon />,
            onSelect: () => setRenaming(true),
          },
          {
            id: 'delete',
            label: 'Delete',
            shortcut: 'Delete',
            icon: <TrashIcon />,
            danger: true,
            onSelect: () => void removeConversation(conversation, neighborId),
          },
        ]}
      />
    </div>
  );
});

const quietStatuses: ReadonlySet<unknown> = new Set([null, 'succeeded', 'cancelled']);

function Mark({ label, isRunning }: { label: string; isRunning?: boolean }) {
  return (
    <Tooltip text={label}>
      <span role="img" aria-label={label} className={styles.mark} data-running={isRunning} />
    </Tooltip>
  );
}

interface RenameFieldProps {
  id: string;
  title: string;
  /** A null title means that the user canceled. */
  onDone: (title: string | null) => void;
}

function RenameField({ id, title, onDone }: RenameFieldProps) {
  const [value, setValue] = useState(title);
  const finish = () => onDone(value.trim() === '' ? null : value.trim().slice(0, 200));
  return (
    <TextField
      label="Conversation name"
      hideLabel
      className={styles.rename}
      value={value}
      onValueChange={setValue}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={finish}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape'))
          return;
        // Focus moves to the row immediately, and the same Enter would also open it.
        event.preventDefault();
        if (event.key === 'Enter') finish();
        else onDone(null);
        focusRow(conversationsUndoKey, id);
      }}
    />
  );
}
