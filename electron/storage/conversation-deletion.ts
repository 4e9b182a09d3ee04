/** How conversations and messages are hidden, restored by Undo, and deleted for good. */
import { z } from 'zod';
import { readConversation, selectBranch, setConversationTitle } from './conversation-rows.ts';
import type { Database } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { removeComparisons, restoreComparisons } from './hidden-comparisons.ts';
import { ancestorIds, deleteMessages, hiddenIds, newestLeafId } from './message-tree.ts';

export interface ConversationDeletionOptions {
  db: Database;
  deletions: Pick<Deletions, 'kind'>;
  /** The conversation, or messages in it, are back. */
  onUndone: (conversationId: string) => void;
  /** The conversation is deleted for good. */
  onFinished: (conversationId: string) => void;
  /** Messages of the conversation are deleted for good. */
  onMessagesFinished: (conversationId: string, messageIds: ReadonlySet<string>) => void;
}

/** What hides a conversation, or messages of one, inside the caller's transaction; each returns the deletion's ID. */
export function createConversationDeletions(options: ConversationDeletionOptions) {
  const { db, deletions, onUndone, onFinished, onMessagesFinished } = options;

  const deleteConversation = deletions.kind('conversation', {
    target: z.object({ id: z.string() }),
    restore(_target, deletionId) {
      const { changes } = db
        .sql('UPDATE conversations SET deletion = NULL WHERE deletion = ?')
        .run(deletionId);
      restoreComparisons(db, deletionId);
      return Number(changes) > 0;
    },
    onRestored: ({ id }) => onUndone(id),
    finish(deletionId) {
      removeComparisons(db, deletionId);
      const row = db
        .sql('DELETE FROM conversations WHERE deletion = ? RETURNING id')
        .get(deletionId);
      if (row !== undefined) onFinished(String(row.id));
    },
  });

  const deleteMessage = deletions.kind('message', {
    target: z.object({
      conversationId: z.string(),
      messageId: z.string(),
      /** The end of the branch that was shown before, and of the one that was shown instead. */
      activeLeafId: z.string().nullable(),
      leftLeafId: z.string().nullable(),
    }),
    restore({ conversationId, messageId, activeLeafId, leftLeafId }, deletionId) {
      const conversation = readConversation(db, conversationId);
      // What it followed may have been deleted since: it then belongs to that deletion.
      const { changes } = db
        .sql(`UPDATE messages SET deletion = (SELECT parent.deletion
          FROM messages root JOIN messages parent ON parent.id = root.parent_id WHERE root.id = ?)
        WHERE deletion = ?`)
        .run(messageId, deletionId);
      // Who has continued elsewhere since stays there.
      const isThere = conversation.activeLeafId === leftLeafId;
      if (isThere && activeLeafId !== null && ancestorIds(db, activeLeafId).length > 0) {
        // What followed may have been deleted before, and come back with this.
        selectBranch(db, conversationId, newestLeafId(db, conversationId, activeLeafId));
      }
      setConversationTitle(db, conversationId);
      return Number(changes) > 0;
    },
    onRestored: ({ conversationId }) => onUndone(conversationId),
    hiddenBy: ({ messageId }) =>
      ancestorIds(db, messageId).length > 0 ? null : followsDeletedMessage,
    finish(deletionId, target) {
      const ids = hiddenIds(db, deletionId);
      deleteMessages(db, ids);
      if (target !== null) onMessagesFinished(target.conversationId, new Set(ids));
    },
  });

  return { deleteConversation, deleteMessage };
}

const followsDeletedMessage =
  'The message was restored, but the one before it is still deleted. Undo that deletion to see it.';
