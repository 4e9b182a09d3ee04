/** Messages as rows. A damaged column falls back to its plain text, so that the tree stays whole. */
import { z } from 'zod';
import {
  type AnswerAudio,
  answerAudioSchema,
  type TreeMessage,
} from '../../shared/conversation.ts';
import {
  type Content,
  contentSchema,
  roleSchema,
  type ToolCall,
  toolCallSchema,
} from '../../shared/operations/chat/message.ts';
import { getText } from '../../shared/operations/chat/text.ts';
import type { RunSummary } from '../../shared/run.ts';
import { type Database, unreadable } from './database-access.ts';
import { jsonColumn } from './json-column.ts';

/** A node to add. The id is the caller's, so that answers can point at a message not yet stored. */
export type NewMessage = Omit<TreeMessage, 'run' | 'createdAt'> & { runId: string | null };

/** What a finished run answered for one choice. */
export interface FinishedAnswer {
  choiceIndex: number;
  content: Content;
  name: string | null;
  reasoning: string | null;
  reasoningTagged: boolean;
  toolCalls: ToolCall[];
  audio: AnswerAudio | null;
}

const rowSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  role: roleSchema.catch('user'),
  text: z.string(),
  parts: z.string().nullable(),
  name: z.string().nullable(),
  reasoning: z.string().nullable(),
  reasoningTagged: z.int(),
  toolCalls: z.string().nullable(),
  toolCallId: z.string().nullable(),
  audio: z.string().nullable(),
  runId: z.string().nullable(),
  choiceIndex: z.int().nullable(),
  createdAt: z.number(),
});

export const messageColumns = `id, parent_id AS parentId, role, text, parts, name, reasoning,
  reasoning_tagged AS reasoningTagged, tool_calls AS toolCalls, tool_call_id AS toolCallId, audio, run_id AS runId,
  choice_index AS choiceIndex, created_at AS createdAt`;

const partsSchema = jsonColumn(contentSchema);
const toolCallsSchema = jsonColumn(z.array(toolCallSchema));
const audioSchema = jsonColumn(answerAudioSchema.nullable());

/** `runs` by id; a run that is no longer recorded leaves the message without one. */
export function readMessage(
  db: Database,
  row: unknown,
  runs: Map<string, RunSummary>,
): TreeMessage {
  const { text, parts, reasoningTagged, toolCalls, audio, runId, ...rest } = rowSchema.parse(row);
  return {
    ...rest,
    reasoningTagged: reasoningTagged === 1,
    content: readOr(db, partsSchema, parts, text),
    toolCalls: readOr(db, toolCallsSchema, toolCalls, []),
    audio: readOr(db, audioSchema, audio, null),
    run: (runId === null ? undefined : runs.get(runId)) ?? null,
  };
}

function readOr<Value>(
  db: Database,
  schema: z.ZodType<Value>,
  column: string | null,
  fallback: Value,
): Value {
  if (column === null) return fallback;
  const { success, data } = schema.safeParse(column);
  if (!success) db.warn(unreadable('message parts'));
  return success ? data : fallback;
}

export function insertMessage(
  db: Database,
  conversationId: string,
  message: NewMessage,
  createdAt: number,
): void {
  const { text, parts } = contentColumns(message.content);
  db.sql(`INSERT INTO messages (id, conversation_id, parent_id, role, text, parts, name, reasoning,
      reasoning_tagged, tool_calls, tool_call_id, audio, run_id, choice_index, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    message.id,
    conversationId,
    message.parentId,
    message.role,
    text,
    parts,
    message.name,
    message.reasoning,
    Number(message.reasoningTagged),
    toolCallsColumn(message.toolCalls),
    message.toolCallId,
    audioColumn(message.audio),
    message.runId,
    message.choiceIndex,
    createdAt,
  );
}

/** False if no message belongs to this choice. */
export function updateAnswer(db: Database, runId: string, answer: FinishedAnswer): boolean {
  const { text, parts } = contentColumns(answer.content);
  const { changes } = db
    .sql(`UPDATE messages SET text = ?, parts = ?, name = ?, reasoning = ?, reasoning_tagged = ?,
      tool_calls = ?, audio = ? WHERE run_id = ? AND choice_index = ?`)
    .run(
      text,
      parts,
      answer.name,
      answer.reasoning,
      Number(answer.reasoningTagged),
      toolCallsColumn(answer.toolCalls),
      audioColumn(answer.audio),
      runId,
      answer.choiceIndex,
    );
  return changes > 0;
}

function contentColumns(content: Content): { text: string; parts: string | null } {
  return {
    text: getText(content),
    parts: typeof content === 'string' ? null : JSON.stringify(content),
  };
}

function toolCallsColumn(toolCalls: ToolCall[]): string | null {
  return toolCalls.length === 0 ? null : JSON.stringify(toolCalls);
}

function audioColumn(audio: AnswerAudio | null): string | null {
  return audio === null ? null : JSON.stringify(audio);
}
