/** Copies a conversation, or one of its branches, to a new conversation. */
import { randomUUID } from 'node:crypto';
import { appError, UserFacingError } from '../../../shared/errors.ts';
import type { Database } from '../../storage/database-access.ts';
import { readIds } from '../../storage/rows.ts';
import { readConversation, requireMessage } from './conversation-rows.ts';
import { listAncestorIds } from './message-rows.ts';

export interface CopiedPart {
  id: string;
  /** Copies the branch that ends at this message; null copies all branches. */
  messageId: string | null;
}

const MAX_TITLE_LENGTH = 200;

/**
 * Returns the copy's ID; its answers share the runs of the originals. Throws a `UserFacingError` if
 * one of the answers is unfinished.
 */
export function copyConversation(
  db: Database,
  { id, messageId }: CopiedPart,
  createdAt: number,
): string {
  const { title, activeLeafId } = readConversation(db, id);
  if (messageId !== null) requireMessage(db, id, messageId);
  const ids = messageId === null ? getMessageIds(db, id) : listAncestorIds(db, messageId);
  requireFinished(db, ids);
  const copyId = randomUUID();
  db.sql(`INSERT INTO conversations
      (id, title, titled, system_message, options, folder, created_at, updated_at)
    SELECT ?, ?, 1, system_message, options, folder, ?, ? FROM conversations WHERE id = ?`).run(
    copyId,
    addToTitle(title, messageId === null ? ' (copy)' : ' (branch)'),
    createdAt,
    createdAt,
    id,
  );
  const copies = new Map(ids.map((original) => [original, randomUUID()]));
  const getCopy = (original: string | null) => copies.get(original ?? '') ?? null;
  const copyMessage = db.sql(`INSERT INTO messages (id, conversation_id, parent_id, ${COPIED})
    SELECT ?, ?, ?, ${COPIED} FROM messages WHERE id = ?`);
  const selectParent = db.sql('SELECT parent_id FROM messages WHERE id = ?');
  for (const [original, copy] of copies) {
    const parentId = selectParent.get(original)?.parent_id;
    copyMessage.run(
      copy,
      copyId,
      getCopy(typeof parentId === 'string' ? parentId : null),
      original,
    );
  }
  const leafId = getCopy(messageId ?? activeLeafId);
  db.sql('UPDATE conversations SET active_leaf_id = ? WHERE id = ?').run(leafId, copyId);
  return copyId;
}

const COPIED = `role, text, parts, name, reasoning, reasoning_tagged, reasoning_encrypted, tool_calls,
  tool_call_id, call_record, audio, wire, sources, run_id, imported_run, continued, choice_index, created_at`;

function getMessageIds(db: Database, conversationId: string): string[] {
  return readIds(
    db,
    'SELECT id FROM shown_messages WHERE conversation_id = ? ORDER BY row',
    conversationId,
  );
}

function requireFinished(db: Database, messageIds: readonly string[]): void {
  const unfinished = db
    .sql(`SELECT 1 FROM messages m JOIN runs ON runs.id = m.run_id
      WHERE runs.status IN ('queued', 'running')
        AND m.id IN (SELECT value FROM json_each(?)) LIMIT 1`)
    .get(JSON.stringify(messageIds));
  if (unfinished !== undefined) throw new UserFacingError(stillAnswering);
}

function addToTitle(title: string, ending: string): string {
  return `${title.slice(0, MAX_TITLE_LENGTH - ending.length).trimEnd()}${ending}`;
}

const stillAnswering = appError(
  'invalid-request',
  'An answer is still in progress.',
  'Wait for it to finish, or stop it.',
);
