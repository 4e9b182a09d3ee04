import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';
import type { Content } from '../../../../shared/operations/chat/message.ts';
import { inspectRun } from '../../../lib/layout.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
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

/** What can be done with a message; each takes the message itself, so that one object serves all. */
export type MessageHandlers = {
  onRetry: (message: TreeMessage) => void;
  onEdit: (message: TreeMessage) => void;
  onEdited: (message: TreeMessage, content: Content, run: boolean) => void;
  onCancelEdit: () => void;
  onDelete: (message: TreeMessage) => void;
  onInspect: (message: TreeMessage) => void;
  onSwitch: (siblingId: string) => void;
};

/** A message that has others below it: deleting it asks first. */
type Deletion = { message: TreeMessage; countBelow: number };

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

interface DeleteMessageDialogProps {
  deletion: Deletion | null;
  conversation: Conversation | null;
  onClose: () => void;
}

export function DeleteMessageDialog({ deletion, conversation, onClose }: DeleteMessageDialogProps) {
  const count = deletion?.countBelow ?? 0;
  return (
    <ConfirmDialog
      open={deletion !== null}
      title="Delete message?"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={() => {
        if (deletion !== null && conversation !== null) {
          void removeMessage(conversation.id, deletion.message.id);
        }
        onClose();
      }}
    >
      {count === 1
        ? 'The message that follows it goes with it.'
        : `The ${count} messages that follow it, on every branch, go with it.`}{' '}
      This cannot be undone.
    </ConfirmDialog>
  );
}
