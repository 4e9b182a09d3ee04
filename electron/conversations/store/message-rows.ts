/** Stores messages as rows of a tree; an unreadable column falls back to plain text. */
import { z } from 'zod';
import {
  type AnswerAudio,
  answerAudioSchema,
  sourcesSchema,
  type TreeMessage,
} from '../../../shared/conversation.ts';
import { jsonObjectSchema } from '../../../shared/json-schema.ts';
import { type Continued, continuedSchema } from '../../../shared/operations/chat/continuation.ts';
import {
  type Content,
  contentSchema,
  getContentText,
  roleSchema,
  type ToolCall,
  toolCallSchema,
  type WireMessage,
} from '../../../shared/operations/chat/message.ts';
import type { Source } from '../../../shared/operations/chat/sources.ts';
import { type RunSummary, runSummarySchema } from '../../../shared/run.ts';
import { callRecordSchema } from '../../../shared/tool-answer.ts';
import type { Database } from '../../storage/database-access.ts';
import {
  createJsonColumn,
  insertFields,
  readColumn,
  readRows,
  selectFields,
  updateFields,
} from '../../storage/rows.ts';

/** The caller chooses the ID, so that an answer can reference a message before it is stored. */
export type NewMessage = Omit<StoredMessage, 'run' | 'createdAt'> & { runId: string | null };

/** `wire` is the raw message from the gateway, which the page doesn't receive. */
export type StoredMessage = TreeMessage & { wire: WireMessage | null };

export interface FinishedAnswer {
  choiceIndex: number;
  content: Content;
  commentaryLength: number;
  name: string | null;
  reasoning: string | null;
  reasoningTagged: boolean;
  reasoningEncrypted: boolean;
  toolCalls: ToolCall[];
  audio: AnswerAudio | null;
  sources: Source[];
  wire: WireMessage | null;
}

const rowSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  role: roleSchema.catch('user'),
  text: z.string(),
  parts: z.string().nullable(),
  name: z.string().nullable(),
  commentaryLength: z.int(),
  reasoning: z.string().nullable(),
  reasoningTagged: z.int(),
  reasoningEncrypted: z.int(),
  toolCalls: z.string().nullable(),
  toolCallId: z.string().nullable(),
  callRecord: z.string().nullable(),
  audio: z.string().nullable(),
  sources: z.string().nullable(),
  runId: z.string().nullable(),
  importedRun: z.string().nullable(),
  continued: z.string().nullable(),
  choiceIndex: z.int().nullable(),
  createdAt: z.number(),
  conversationId: z.string(),
});

export const messageColumns = selectFields(rowSchema);

const partsSchema = createJsonColumn(contentSchema);
const toolCallsSchema = createJsonColumn(z.array(toolCallSchema));
export const wireMessageSchema: z.ZodType<WireMessage> = z.object({
  format: z.string(),
  message: jsonObjectSchema,
});
const wireSchema = createJsonColumn(wireMessageSchema.nullable());
const sourcesColumnSchema = createJsonColumn(sourcesSchema);
const callRecordColumnSchema = createJsonColumn(callRecordSchema.nullable());
const audioSchema = createJsonColumn(answerAudioSchema.nullable());
const continuedColumnSchema = createJsonColumn(continuedSchema.nullable());
const importedRunSchema = createJsonColumn(runSummarySchema.nullable());

export function readMessages(
  db: Database,
  rows: readonly unknown[],
  runs: Map<string, RunSummary>,
): TreeMessage[] {
  return readRows(db, rowSchema, rows, 'messages').map((row) => toMessage(db, row, runs));
}

function toMessage(
  db: Database,
  row: z.infer<typeof rowSchema>,
  runs: Map<string, RunSummary>,
): TreeMessage {
  const { text, parts, toolCalls, audio, sources, runId, conversationId, ...rest } = row;
  const run = runId === null ? undefined : runs.get(runId);
  return {
    ...rest,
    reasoningTagged: rest.reasoningTagged === 1,
    reasoningEncrypted: rest.reasoningEncrypted === 1,
    content: readOr(db, partsSchema, parts, text),
    toolCalls: readOr(db, toolCallsSchema, toolCalls, []),
    callRecord: readOr(db, callRecordColumnSchema, rest.callRecord, null),
    audio: readOr(db, audioSchema, audio, null),
    sources: readOr(db, sourcesColumnSchema, sources, []),
    // A copied answer shares the run of its original, but belongs to the copy.
    run: run === undefined ? null : { ...run, conversationId },
    importedRun: readOr(db, importedRunSchema, rest.importedRun, null),
    continued: readOr(db, continuedColumnSchema, rest.continued, null),
  };
}

/** Returns the raw gateway message of each answer, by message ID. */
export function readWires(db: Database, ids: string[]): Map<string, WireMessage | null> {
  const rows = db
    .sql(`SELECT id, wire FROM messages
      WHERE wire IS NOT NULL AND id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids));
  return new Map(
    rows.map(({ id, wire }) => [String(id), readOr(db, wireSchema, String(wire), null)]),
  );
}

function readOr<Value>(
  db: Database,
  schema: z.ZodType<Value>,
  column: string | null,
  fallback: Value,
): Value {
  return readColumn(db, schema, column, fallback, 'message parts');
}

export function insertMessage(
  db: Database,
  conversationId: string,
  message: NewMessage,
  createdAt: number,
): void {
  const { id, parentId, role, toolCallId, callRecord, runId, importedRun, continued } = message;
  insertFields(db, 'messages', {
    ...getAnswerFields(message),
    // A written message has a part for each text file; parts of an answer may end within a word.
    ...(role !== 'assistant' && { text: getContentText(message.content, '\n\n') }),
    id,
    conversationId,
    parentId,
    role,
    toolCallId,
    callRecord,
    runId,
    importedRun,
    continued,
    choiceIndex: message.choiceIndex,
    createdAt,
  });
}

/** Returns the answer that the run's choice continues; null if it continues none. */
export function readContinued(
  db: Database,
  runId: string,
  choiceIndex: number,
): { continued: Continued | null; wire: WireMessage | null } {
  const row = db
    .sql('SELECT continued, wire FROM messages WHERE run_id = ? AND choice_index = ?')
    .get(runId, choiceIndex);
  const [continued, wire] = [row?.continued, row?.wire];
  return {
    continued:
      typeof continued === 'string' ? readOr(db, continuedColumnSchema, continued, null) : null,
    wire: typeof wire === 'string' ? readOr(db, wireSchema, wire, null) : null,
  };
}

export function updateAnswer(db: Database, runId: string, answer: FinishedAnswer): boolean {
  const where = 'run_id = ? AND choice_index = ?';
  const fields = getAnswerFields(answer);
  return updateFields(db, 'messages', fields, where, runId, answer.choiceIndex) > 0;
}

/** Returns the fields to update when an answer ends. */
function getAnswerFields(answer: Omit<FinishedAnswer, 'choiceIndex'>) {
  const { content, toolCalls, sources } = answer;
  return {
    text: getContentText(content),
    parts: typeof content === 'string' ? null : content,
    name: answer.name,
    commentaryLength: answer.commentaryLength,
    reasoning: answer.reasoning,
    reasoningTagged: answer.reasoningTagged,
    reasoningEncrypted: answer.reasoningEncrypted,
    toolCalls: toolCalls.length === 0 ? null : toolCalls,
    audio: answer.audio,
    wire: answer.wire,
    sources: sources.length === 0 ? null : sources,
  };
}

/** Returns IDs from the root to the message, or an empty list if the message doesn't exist. */
export function listAncestorIds(db: Database, messageId: string): string[] {
  return db
    .sql(`WITH RECURSIVE up (id, parent_id, depth) AS (
        SELECT id, parent_id, 0 FROM shown_messages WHERE id = ?
        UNION ALL
        SELECT m.id, m.parent_id, depth + 1 FROM messages m JOIN up ON m.id = up.parent_id
      )
      SELECT id FROM up ORDER BY depth DESC`)
    .all(messageId)
    .map(({ id }) => String(id));
}

/** More siblings are requested by the page in steps, like earlier messages. */
const MAX_SIBLINGS = 400;

/**
 * Returns the last `count` messages of the branch ending at `leafId` and up to `MAX_SIBLINGS` of
 * their siblings, in no particular order.
 */
export function listEndIds(
  db: Database,
  conversationId: string,
  leafId: string,
  count: number,
): string[] {
  return db
    .sql(`WITH RECURSIVE up (id, parent_id, depth) AS (
        SELECT id, parent_id, 1 FROM shown_messages WHERE id = :leaf AND conversation_id = :conversation
        UNION ALL
        SELECT m.id, m.parent_id, depth + 1 FROM messages m JOIN up ON m.id = up.parent_id
        WHERE depth < :count
      )
      SELECT id FROM up
      UNION
      SELECT id FROM (
        SELECT m.id FROM up JOIN shown_messages m ON m.parent_id = up.parent_id
        UNION ALL
        SELECT id FROM shown_messages WHERE parent_id IS NULL AND conversation_id = :conversation
          AND EXISTS (SELECT 1 FROM up WHERE parent_id IS NULL)
        LIMIT ${MAX_SIBLINGS}
      )`)
    .all({ leaf: leafId, conversation: conversationId, count })
    .map(({ id }) => String(id));
}

/** Returns null if the message has no parent or doesn't exist. */
export function getParentId(db: Database, messageId: string): string | null {
  const row = db.sql('SELECT parent_id FROM messages WHERE id = ?').get(messageId);
  return row?.parent_id == null ? null : String(row.parent_id);
}

export function isShown(db: Database, messageId: string): boolean {
  return db.sql('SELECT 1 FROM shown_messages WHERE id = ?').get(messageId) !== undefined;
}

/**
 * Yields the newest message of each level, from `messageId` or the newest root to a leaf; skips the
 * branch of `excludedId`.
 */
export function* walkToNewestLeaf(
  db: Database,
  conversationId: string,
  messageId: string | null,
  excludedId: string | null = null,
): Generator<string, void> {
  const newestChild = db.sql(`SELECT id FROM shown_messages
    WHERE conversation_id = ? AND parent_id IS ? AND id IS NOT ? ORDER BY row DESC LIMIT 1`);
  for (let leaf = messageId; ; ) {
    const child = newestChild.get(conversationId, leaf, excludedId);
    if (child === undefined) return;
    leaf = String(child.id);
    yield leaf;
  }
}

/** Tracks deleted answers of active runs, so that they don't reappear when the runs end. */
export function deleteMessages(db: Database, ids: string[]): void {
  const list = JSON.stringify(ids);
  db.sql(`INSERT OR IGNORE INTO removed_answers (run_id, choice_index)
    SELECT run_id, choice_index FROM messages
    WHERE run_id IN (SELECT id FROM runs WHERE status IN ('queued', 'running'))
      AND choice_index IS NOT NULL AND id IN (SELECT value FROM json_each(?))`).run(list);
  db.sql('DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))').run(list);
}
