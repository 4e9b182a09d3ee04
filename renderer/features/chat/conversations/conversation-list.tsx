import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { orpc } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { PlusIcon } from '../../../ui/icons/actions.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { removeConversation, renameConversation } from '../chat-actions.ts';
import { selectConversation, useChat } from '../chat-store.ts';
import styles from './conversation-list.module.css';
import { ConversationRow } from './conversation-row.tsx';
import { startConversation } from './conversation-settings.ts';

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
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const roving = useRovingList({
    keys: useMemo(() => conversations.map(({ id }) => id), [conversations]),
    currentKey: selectedId,
    textOf: (index) => conversations[index]?.title ?? '',
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
  });
  return (
    <nav className={styles.list} aria-label="Conversations">
      <div className={styles.head}>
        <Button icon={<PlusIcon />} onClick={onNew}>
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
          keepMounted={conversations.length > 0 ? [roving.stop] : []}
        >
          {conversations.map((conversation, index) => (
            <ConversationRow
              key={conversation.id}
              tabIndex={roving.tabIndexOf(index)}
              conversation={conversation}
              isSelected={conversation.id === selectedId}
              onSelect={onSelect}
              onRename={onRename}
              onDelete={onDelete}
            />
          ))}
        </Virtualizer>
        {conversations.length === 0 && error === null && (
          <p className={styles.none}>
            {search === '' ? 'No conversations yet' : 'No matching conversations'}
          </p>
        )}
      </div>
      <UndoBars place="conversations" className={styles.undo} />
    </nav>
  );
}
