/** Reads the Markdown that Gatehouse exports; any other Markdown has no messages. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { parseJson } from '../../../shared/parse-json.ts';
import {
  type ConversationFile,
  createFileConversation,
  createFileMessage,
  createForeignFile,
  describeIssue,
  type FileConversation,
  type FileMessage,
  importError,
} from './conversation-file.ts';
import { toImportedRun } from './imported-run.ts';
import {
  CONVERSATION_MARK,
  conversationMarkSchema,
  MESSAGE_MARK,
  messageMarkSchema,
  REASONING_CLOSING,
  REASONING_OPENING,
  unescapeMarks,
} from './markdown-file.ts';
import { CALLS_FOLLOW } from './write-markdown.ts';

const MARK = /^<!-- (gatehouse-conversation|gatehouse-message): (.*) -->$/gm;

export function isMarkdownFile(text: string): boolean {
  return new RegExp(`^\\s*<!-- ${CONVERSATION_MARK}: `).test(text);
}

/** Throws a `UserFacingError` if a comment was changed. */
export function readMarkdownFile(file: string): ConversationFile {
  const text = file.replaceAll('\r\n', '\n');
  const marks = [...text.matchAll(MARK)];
  const conversations: FileConversation[] = [];
  for (const [index, mark] of marks.entries()) {
    const from = mark.index + mark[0].length + 1;
    const section = text.slice(from, marks[index + 1]?.index ?? text.length);
    const conversation = conversations.at(-1);
    if (mark[1] === MESSAGE_MARK && conversation !== undefined) {
      addMessage(conversation, section, mark[2] ?? '', index);
    } else conversations.push(readHead(mark[2] ?? '', index));
  }
  return createForeignFile(conversations.map(finish));
}

function parseMark<Details>(schema: z.ZodType<Details>, json: string, index: number): Details {
  const { success, data, error } = schema.safeParse(parseJson(json));
  if (!success)
    throw importError(`Comment ${index + 1} isn’t valid. ${describeIssue(error.issues)}`);
  return data;
}

function readHead(json: string, index: number): FileConversation {
  const { system, version: _version, ...head } = parseMark(conversationMarkSchema, json, index);
  const conversation = createFileConversation({ ...head, messages: [], activeLeafId: null });
  // The next section replaces this placeholder.
  return { ...conversation, systemMessage: system ? NEXT_SECTION : '' };
}

const NEXT_SECTION = '\0';

function addMessage(
  conversation: FileConversation,
  section: string,
  json: string,
  index: number,
): void {
  const mark = parseMark(messageMarkSchema, json, index);
  const body = section.replace(/^## .*\n\n/, '').replace(/\n\n$/, '');
  if (conversation.systemMessage === NEXT_SECTION) {
    conversation.systemMessage = unescapeMarks(body);
    return;
  }
  const { role, createdAt, model, connection, toolCalls = [], toolCallId = null } = mark;
  const { reasoning, rest } = splitReasoning(body, mark.reasoning === true);
  const [text = ''] = toolCalls.length === 0 ? [rest] : rest.split(`\n\n${CALLS_FOLLOW}`, 1);
  const id = randomUUID();
  const run =
    model === undefined ? null : toImportedRun({ id, program: connection ?? '', model, createdAt });
  const message: FileMessage = createFileMessage({
    id,
    role,
    createdAt,
    toolCalls,
    toolCallId,
    run,
    name: mark.name ?? null,
    parentId: conversation.messages.at(-1)?.id ?? null,
    content: unescapeMarks(text),
    reasoning: reasoning === null ? null : unescapeMarks(reasoning),
    choiceIndex: run === null ? null : 0,
  });
  conversation.messages.push(message);
}

function splitReasoning(body: string, hasReasoning: boolean) {
  // The reasoning can contain the closing tag, but not with the same empty lines around it.
  const end = body.indexOf(REASONING_CLOSING);
  if (!hasReasoning || !body.startsWith(REASONING_OPENING) || end === -1) {
    return { reasoning: null, rest: body };
  }
  const reasoning = body.slice(REASONING_OPENING.length, end);
  return { reasoning, rest: body.slice(end + REASONING_CLOSING.length) };
}

function finish(conversation: FileConversation): FileConversation {
  return { ...conversation, activeLeafId: conversation.messages.at(-1)?.id ?? null };
}
