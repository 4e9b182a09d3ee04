/** Stores a conversation's title, system message and active branch. */
import { z } from 'zod';
import {
  type Conversation,
  type ConversationOptions,
  type ConversationSummary,
  conversationOptionsSchema,
  conversationSummarySchema,
  defaultConversationOptions,
} from '../../../shared/conversation.ts';
import { appError, UserFacingError } from '../../../shared/errors.ts';
import type { Database } from '../../storage/database-access.ts';
import { createJsonColumn, readColumn, readRows } from '../../storage/rows.ts';

export type ConversationHead = Omit<Conversation, 'messages' | 'complete' | 'revision' | 'turns'>;

export function readConversation(db: Database, id: string): ConversationHead {
  const row = db
    .sql(`SELECT ${summaryColumns}, system_message, options, active_leaf_id
      FROM shown_conversations c WHERE id = ?`)
    .get(id);
  const { system_message: systemMessage, options, active_leaf_id: leafId } = row ?? {};
  return {
    ...readSummary(db, row),
    systemMessage: String(systemMessage),
    options: readColumn(
      db,
      optionsColumn,
      options,
      defaultConversationOptions,
      'conversation settings',
    ),
    activeLeafId: leafId === null ? null : String(leafId),
  };
}

const summaryColumns = `id, title, titled, pinned, archived, folder, created_at AS createdAt,
  updated_at AS updatedAt,
  (SELECT count(*) FROM shown_messages WHERE conversation_id = c.id) AS messageCount,
  (SELECT run.status FROM shown_messages m JOIN shown_runs run ON run.id = m.run_id
    WHERE m.conversation_id = c.id ORDER BY m.row DESC LIMIT 1) AS lastRunStatus`;

const flagSchema = z.int().transform((flag) => flag === 1);
const summaryRowSchema = conversationSummarySchema.omit({ match: true }).extend({
  titled: flagSchema,
  pinned: flagSchema,
  archived: flagSchema,
  // Show the conversation despite a damaged run.
  lastRunStatus: conversationSummarySchema.shape.lastRunStatus.catch(null),
});

function readSummaries(
  db: Database,
  rows: readonly unknown[],
  match: string | null = null,
): ConversationSummary[] {
  const summaries = readRows(db, summaryRowSchema, rows, 'conversations');
  return summaries.map((summary) => ({ ...summary, match }));
}

/** Throws a `not-found` error if the row is missing or unreadable. */
function readSummary(db: Database, row: unknown): ConversationSummary {
  const [summary] = readSummaries(db, row === undefined ? [] : [row]);
  if (summary === undefined) throw new UserFacingError(noConversation);
  return summary;
}

/** Throws a `not-found` error if the conversation doesn't exist. */
export function readConversationSummary(db: Database, id: string): ConversationSummary {
  return readSummary(db, getSummaryRow(db, id));
}

/** Returns an empty list if the conversation was deleted or is unreadable. */
export function readFoundConversations(
  db: Database,
  id: string,
  match: string | null,
): ConversationSummary[] {
  const row = getSummaryRow(db, id);
  return readSummaries(db, row === undefined ? [] : [row], match);
}

function getSummaryRow(db: Database, id: string): unknown {
  return db.sql(`SELECT ${summaryColumns} FROM shown_conversations c WHERE id = ?`).get(id);
}

export interface ListedConversations {
  limit: number;
  archived?: boolean;
  order?: 'recent' | 'place';
}

/** The order `place` lists pinned conversations first, then folders; newest first in each. */
export function listConversations(
  db: Database,
  { limit, archived = false, order = 'recent' }: ListedConversations,
): ConversationSummary[] {
  const place = order === 'place' ? 'pinned DESC, folder IS NOT NULL DESC, ' : '';
  const rows = db
    .sql(`SELECT ${summaryColumns} FROM shown_conversations c WHERE archived = ?
      ORDER BY ${place}updated_at DESC, id DESC LIMIT ?`)
    .all(Number(archived), limit);
  return readSummaries(db, rows);
}

export interface Placement {
  pinned?: boolean | undefined;
  archived?: boolean | undefined;
  folder?: string | null | undefined;
}

/** Moves conversations in the list without marking them as changed. */
export function placeConversations(
  db: Database,
  ids: readonly string[],
  { pinned, archived, folder }: Placement,
): void {
  db.sql(`UPDATE conversations SET pinned = coalesce(:pinned, pinned),
      archived = coalesce(:archived, archived), folder = iif(:moves, :folder, folder)
    WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(:ids))`).run({
    pinned: pinned === undefined ? null : Number(pinned),
    archived: archived === undefined ? null : Number(archived),
    moves: Number(folder !== undefined),
    folder: folder ?? null,
    ids: JSON.stringify(ids),
  });
}

export function insertConversation(
  db: Database,
  id: string,
  { systemMessage, title, createdAt }: { systemMessage: string; title: string; createdAt: number },
): void {
  db.sql(`INSERT INTO conversations (id, title, titled, system_message, created_at, updated_at)
    VALUES (?, ?, 0, ?, ?, ?)`).run(id, title, systemMessage, createdAt, createdAt);
}

const optionsColumn = createJsonColumn(conversationOptionsSchema);

export function updateOptions(db: Database, id: string, options: ConversationOptions): void {
  db.sql('UPDATE conversations SET options = ? WHERE id = ?').run(JSON.stringify(options), id);
}

const TITLE_SOURCE_LENGTH = 100_000;

export function setConversationTitle(db: Database, id: string): void {
  const isNamed = db.sql('SELECT 1 FROM conversations WHERE id = ? AND titled <> 0').get(id);
  if (isNamed) return;
  const first = db
    .sql(`SELECT substr(text, 1, ${TITLE_SOURCE_LENGTH}) AS text FROM shown_messages
      WHERE conversation_id = ? AND role = 'user' AND trim(text) <> '' ORDER BY row LIMIT 1`)
    .get(id);
  db.sql('UPDATE conversations SET title = ? WHERE id = ?').run(
    first ? deriveTitle(String(first.text)) : UNTITLED,
    id,
  );
}

export function touch(db: Database, id: string, updatedAt: number): void {
  db.sql('UPDATE conversations SET updated_at = ? WHERE id = ?').run(updatedAt, id);
}

export function selectBranch(db: Database, id: string, leafId: string | null): void {
  if (leafId !== null) requireMessage(db, id, leafId);
  db.sql('UPDATE conversations SET active_leaf_id = ? WHERE id = ?').run(leafId, id);
}

export function requireMessage(db: Database, conversationId: string, messageId: string): void {
  const found = db
    .sql('SELECT 1 FROM shown_messages WHERE id = ? AND conversation_id = ?')
    .get(messageId, conversationId);
  if (!found) throw new UserFacingError(noMessage);
}

const UNTITLED = 'New conversation';
const MAX_TITLE_CHARACTERS = 60;
/** Truncates a pasted log, because the patterns below are slow on long lines. */
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 400;

export function deriveTitle(text: string): string {
  const line = findFirstLine(text);
  if (line === '') return UNTITLED;
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut}…`;
}

function findFirstLine(text: string): string {
  for (const part of text.trimStart().split('\n', MAX_LINES)) {
    const line = withoutMarkdown(part.slice(0, MAX_LINE_LENGTH)).replaceAll(/\s+/g, ' ').trim();
    if (line !== '') return line;
  }
  return '';
}

function withoutMarkdown(line: string): string {
  return line
    .replace(/^\s*(?:```|~~~).*$/, '')
    .replace(/^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+)+/, '')
    .replace(/^\s*(?:[-*_]\s*){3,}$/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*(?:\)|$)/g, '$1')
    .replaceAll(/(\*\*|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)/g, '$1')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/`+([^`]+)`+/g, '$1');
}

const noConversation = appError(
  'not-found',
  'This conversation no longer exists.',
  'Choose another one from the list.',
);
export const noMessage = appError(
  'not-found',
  'This message is no longer in the conversation.',
  'Reopen the conversation and continue from another message.',
);
