import type { Conversation } from '../../../../shared/conversation.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { removeMessage } from '../chat-actions.ts';
import type { Deletion } from './use-message-handlers.ts';

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
