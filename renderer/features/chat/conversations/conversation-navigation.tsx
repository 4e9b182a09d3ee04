import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { orpc } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { removeConversation, renameConversation } from '../chat-actions.ts';
import { selectConversation, useChat } from '../chat-store.ts';
import { ConversationList } from './conversation-list.tsx';

/** The list of conversations, wired to main. */
export function ConversationNavigation() {
  const [search, setSearch] = useState('');
  const asked = useDeferredValue(search.trim().slice(0, 200));
  const selectedId = useChat((state) => state.selectedId);
  const query = useQuery(
    orpc.conversations.list.queryOptions({
      input: { search: asked, limit: 500 },
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
      onNew={() => selectConversation(null)}
      onSelect={selectConversation}
      onRename={(id, title) => void renameConversation(id, title)}
      onDelete={(id) => void removeConversation(id)}
    />
  );
}

const none: readonly ConversationSummary[] = [];
