import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { inspectRun } from '../../../lib/layout.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { showRunBlock } from '../../../run/form/run-block.ts';
import {
  addMessage,
  continueAnswer,
  removeMessage,
  sendMessage,
  switchBranch,
} from '../conversation/chat-actions.ts';
import { editMessage, useChat } from '../conversation/chat-store.ts';
import { dropDraft } from '../conversation/edit-drafts.tsx';
import { branchConversation } from '../list/organize-conversations.ts';
import { type ChatSession, retryAnswer } from '../session/chat-session.ts';

/** Handlers receive the message as an argument, so all messages can share one object. */
export interface MessageHandlers {
  canRetry: (message: TreeMessage) => boolean;
  onRetry: (message: TreeMessage) => void;
  /** Continues an unfinished answer; null if answers can't be continued here. */
  onContinue: ((message: TreeMessage) => void) | null;
  /** Null in a blind comparison. */
  onInspect: ((message: TreeMessage) => void) | null;
  /** Continues the conversation with the choice; null if choices can't be picked. */
  onPick: ((choice: TreeMessage) => void) | null;
  /** Null if messages are read-only. */
  changes: MessageChanges | null;
}

export interface MessageChanges {
  onEdit: (message: TreeMessage) => void;
  onEdited: (message: TreeMessage, written: WrittenMessage, run: boolean) => Promise<void>;
  onCancelEdit: () => void;
  onDelete: (message: TreeMessage) => void;
  /** Copies the messages up to this one to a new conversation. */
  onBranch: (message: TreeMessage) => void;
  onSwitch: (siblingId: string) => void;
}

export function createMessageHandlers({ state }: ChatSession): MessageHandlers {
  function onSwitch(siblingId: string): void {
    const { conversation } = state.getState();
    if (conversation !== null) void switchBranch(conversation, siblingId);
  }
  return {
    canRetry: () => true,
    onRetry: (message) => retryAnswer(state.getState(), message),
    onContinue(message) {
      const { ready } = state.getState();
      if (ready === null) showRunBlock();
      else void continueAnswer(ready, message);
    },
    onInspect: (message) => message.run !== null && inspectRun(message.run.id),
    onPick: ({ id }) => onSwitch(id),
    changes: {
      onEdit: (message) => editMessage(message.id),
      onCancelEdit: () => editMessage(null),
      async onEdited(message, written, run) {
        const { conversation, ready } = state.getState();
        if (conversation === null) return;
        if (run && ready === null) return showRunBlock();
        const isDone =
          run && ready !== null
            ? await sendMessage(ready, message.parentId, written)
            : await addMessage(message.parentId, written);
        if (!isDone) return;
        dropDraft(getConversationForm(conversation.id), message.id);
        // The user may have opened another editor during the save.
        if (useChat.getState().editingId === message.id) editMessage(null);
      },
      onDelete(message) {
        const { conversation } = state.getState();
        if (conversation !== null) void removeMessage(conversation, message.id);
      },
      onBranch({ id }) {
        const { conversation } = state.getState();
        if (conversation !== null) void branchConversation(conversation, id);
      },
      onSwitch,
    },
  };
}
