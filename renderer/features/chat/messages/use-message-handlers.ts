import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';
import { inspectRun } from '../../../lib/layout.ts';
import {
  addMessage,
  type ReadyRequest,
  removeMessage,
  sendMessage,
  switchBranch,
  writtenFrom,
} from '../chat-actions.ts';
import { editMessage } from '../chat-store.ts';
import { countBelow } from './branch.ts';
import type { MessageHandlers } from './message-handlers.ts';

/** A message that has others below it: deleting it asks first. */
export type Deletion = { message: TreeMessage; countBelow: number };

/** The handlers stay the same object for ever, so that memoised messages stay as they are. */
export function useMessageHandlers(conversation: Conversation | null, ready: ReadyRequest | null) {
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const latest = useRef({ conversation, ready });
  useLayoutEffect(() => {
    latest.current = { conversation, ready };
  });
  const handlers = useMemo(
    (): MessageHandlers => ({
      onRetry(message) {
        const { ready } = latest.current;
        if (ready !== null) void sendMessage(ready, message.parentId, null);
      },
      onEdit: (message) => editMessage(message.id),
      onCancelEdit: () => editMessage(null),
      async onEdited(message, content, run) {
        const { ready } = latest.current;
        const written = writtenFrom(message, content);
        const isDone =
          run && ready !== null
            ? await sendMessage(ready, message.parentId, written)
            : await addMessage(message.parentId, written);
        if (isDone) editMessage(null);
      },
      onDelete(message) {
        const { conversation } = latest.current;
        if (conversation === null) return;
        const below = countBelow(conversation.messages, message.id);
        if (below > 0) setDeletion({ message, countBelow: below });
        else void removeMessage(conversation.id, message.id);
      },
      onInspect: (message) => message.run !== null && inspectRun(message.run.id),
      onSwitch(siblingId) {
        const { conversation } = latest.current;
        if (conversation !== null) void switchBranch(conversation, siblingId);
      },
    }),
    [],
  );
  return { handlers, deletion, closeDeletion: () => setDeletion(null) };
}
