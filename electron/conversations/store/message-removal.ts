/** Hides, restores and purges a message with everything after it, a few milliseconds at a time. */
import { MAX_SEARCHED_LENGTH } from '../../../shared/conversation.ts';
import { UserFacingError } from '../../../shared/errors.ts';
import { runInSteps, yieldToEventLoop } from '../../base/yield-to-event-loop.ts';
import type { Database } from '../../storage/database-access.ts';
import { deleteMessages } from './message-rows.ts';
import { LENGTH_PER_PURGE, MESSAGES_PER_PURGE } from './purge-conversations.ts';

const READ_AT_ONCE = 50;
/** Hiding or showing this much takes less than 8 ms. SQLite writes a changed row as a whole. */
const CHANGED_AT_ONCE = 250;
const LENGTH_AT_ONCE = 1_000_000;

export interface Subtree {
  has(messageId: string): boolean;
  /** Finds all messages, and calls `hide` without a pause after the last one is found. */
  find(): Promise<void>;
  /** Hides some messages, the first one before those that follow it. */
  hideSome(deletedAt: number): void;
  isHidden(): boolean;
}

/** A message that is added while others are hidden is hidden too. */
export function createSubtree(db: Database, conversationId: string, messageId: string): Subtree {
  const ids = new Set<string>();
  const waiting: { row: number; length: number }[] = [];
  let next = 0;
  let lastRow = -1;

  /** A message's row follows its parent's, so one pass finds all. */
  function readSome(): boolean {
    const rows = db
      .sql(`SELECT row, id, parent_id, deleted_at IS NULL AS isShown, octet_length(text)
          + coalesce(octet_length(parts), 0) + coalesce(octet_length(wire), 0) AS length
        FROM messages WHERE conversation_id = ?1 AND row > ?2
        AND row >= (SELECT row FROM messages WHERE id = ?3) ORDER BY row LIMIT ${READ_AT_ONCE}`)
      .all(conversationId, lastRow, messageId);
    for (const { row, id, parent_id: parentId, isShown, length } of rows) {
      lastRow = Number(row);
      if (isShown !== 1 || (id !== messageId && !ids.has(String(parentId)))) continue;
      ids.add(String(id));
      waiting.push({ row: lastRow, length: Number(length) });
    }
    return rows.length > 0;
  }

  function* readAll(): Generator<void, void> {
    while (readSome()) yield;
  }

  return {
    has: (id) => ids.has(id),
    find: () => runInSteps(readAll()),
    hideSome(deletedAt) {
      for (const _step of readAll());
      const rows: number[] = [];
      for (let length = 0; rows.length < CHANGED_AT_ONCE && length < LENGTH_AT_ONCE; next += 1) {
        const message = waiting[next];
        if (message === undefined) break;
        rows.push(message.row);
        length += message.length;
      }
      db.sql(`UPDATE messages SET deleted_at = ?
        WHERE row IN (SELECT value FROM json_each(?))`).run(deletedAt, JSON.stringify(rows));
    },
    isHidden: () => next >= waiting.length,
  };
}

/** Calls `hideSome` until it returns true or the disk is full; the purge deletes the rest. */
export async function hideRest(db: Database, hideSome: () => boolean): Promise<void> {
  try {
    do await yieldToEventLoop(Number.POSITIVE_INFINITY);
    while (!db.write(hideSome));
  } catch (cause) {
    if (!(cause instanceof UserFacingError)) throw cause;
  }
}

/**
 * Shows the first messages of a deletion; returns false, and leaves the rest, once there are few.
 * If the parent has since been deleted, the messages become part of that deletion.
 */
export function restoreSome(db: Database, deletedAt: number, parentId: string | null): boolean {
  const after = db
    .sql(`SELECT row FROM messages WHERE deleted_at = ? ORDER BY row
      LIMIT 1 OFFSET ${CHANGED_AT_ONCE}`)
    .get(deletedAt);
  if (after === undefined) return false;
  restoreUntil(db, deletedAt, parentId, Number(after.row));
  return true;
}

export function restoreRest(db: Database, deletedAt: number, parentId: string | null): void {
  restoreUntil(db, deletedAt, parentId, Number.MAX_SAFE_INTEGER);
}

function restoreUntil(db: Database, deletedAt: number, parentId: string | null, row: number): void {
  db.sql(`UPDATE messages SET deleted_at = (SELECT deleted_at FROM messages WHERE id = ?)
    WHERE deleted_at = ? AND row < ?`).run(parentId, deletedAt, row);
}

/** Returns true if some messages are left; passes the IDs of the others to `onPurged`. */
export function purgeSomeMessages(
  db: Database,
  deletedAt: number,
  onPurged: (conversationId: string, messageIds: ReadonlySet<string>) => void,
): boolean {
  const last = db
    .sql(`SELECT id, conversation_id, min(octet_length(text), ${MAX_SEARCHED_LENGTH}) AS length
      FROM messages WHERE deleted_at = ? ORDER BY row DESC LIMIT ${MESSAGES_PER_PURGE}`)
    .all(deletedAt);
  const ids: string[] = [];
  let length = 0;
  for (const message of last) {
    if (length >= LENGTH_PER_PURGE) break;
    length += Number(message.length);
    ids.push(String(message.id));
  }
  const [first] = last;
  if (first === undefined) return false;
  if (includeFollowing(db, ids, deletedAt)) return true;
  deleteMessages(db, ids);
  onPurged(String(first.conversation_id), new Set(ids));
  return true;
}

/**
 * Adds replies that were deleted earlier, or that are still shown because a kill interrupted this.
 */
function includeFollowing(db: Database, ids: readonly string[], deletedAt: number): boolean {
  const { changes } = db
    .sql(`UPDATE messages SET deleted_at = ?1 WHERE row IN (SELECT row FROM messages
      WHERE parent_id IN (SELECT value FROM json_each(?2)) AND deleted_at IS NOT ?1
      LIMIT ${CHANGED_AT_ONCE})`)
    .run(deletedAt, JSON.stringify(ids));
  return Number(changes) > 0;
}
