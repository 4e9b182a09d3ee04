import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { Content } from '../../../../shared/operations/chat/message.ts';

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
