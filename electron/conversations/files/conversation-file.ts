/** Defines the JSON file of exported conversations; imports convert other formats to it. */
import { z } from 'zod';
import {
  conversationOptionsSchema,
  conversationSummarySchema,
  defaultConversationOptions,
  folderNameSchema,
  treeMessageSchema,
} from '../../../shared/conversation.ts';
import { appError, UserFacingError } from '../../../shared/errors.ts';
import type { FormContent } from '../../../shared/form.ts';
import { jsonObjectSchema } from '../../../shared/json-schema.ts';
import { mediaRoleSchema } from '../../../shared/media.ts';
import { runSummarySchema } from '../../../shared/run.ts';
import { savedToolSchema } from '../../../shared/saved-items.ts';
import { wireMessageSchema } from '../store/message-rows.ts';

export const FILE_FORMAT = 'gatehouse-conversations';
export const FILE_VERSION = 1;
export const MAX_TITLE_LENGTH = 200;

/** IDs are those of the exporting installation; an import assigns new ones. */
export const fileMessageSchema = treeMessageSchema
  .omit({ run: true, importedRun: true, continued: true })
  .extend({
    /** The answer in the gateway's original format. */
    wire: wireMessageSchema.nullable(),
    run: runSummarySchema.nullable(),
  });
export type FileMessage = z.infer<typeof fileMessageSchema>;

export const fileConversationSchema = conversationSummarySchema
  .pick({ titled: true, pinned: true, archived: true, createdAt: true, updatedAt: true })
  .extend({
    title: z.string().max(MAX_TITLE_LENGTH),
    folder: folderNameSchema.nullable(),
    systemMessage: z.string(),
    options: conversationOptionsSchema,
    /** The chat form's fields, without drafts. */
    settings: jsonObjectSchema,
    activeLeafId: z.string().nullable(),
    /** Contains all branches. */
    messages: z.array(fileMessageSchema),
  });
export type ChatSettings = Extract<FormContent, { operation: 'chat' }>['fields'];
export type FileConversation = Omit<z.infer<typeof fileConversationSchema>, 'settings'> & {
  settings: ChatSettings;
};

/** Searches for invalid characters, because matching a whole long text overflows the stack. */
export function isBase64(data: string): boolean {
  return !/[^A-Za-z0-9+/=]/.test(data);
}

export const fileMediaSchema = z.object({
  /** The rest of the file refers to the item as `media:<id>`. */
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  name: z.string().nullable(),
  type: z.string().nullable(),
  role: mediaRoleSchema,
  data: z.string().refine(isBase64, 'The data isn’t base64.'),
});
export type FileMedia = z.infer<typeof fileMediaSchema>;

export const conversationFileSchema = z.object({
  format: z.literal(FILE_FORMAT),
  version: z.literal(FILE_VERSION),
  exportedAt: z.number(),
  /** The connections that settings refer to, without URLs or keys. */
  connections: z.array(z.object({ id: z.string(), name: z.string() })),
  tools: z.array(savedToolSchema),
  conversations: z.array(fileConversationSchema),
  media: z.array(fileMediaSchema),
});

/** A parsed import; only a Gatehouse file has connections, tools and media. */
export interface ConversationFile {
  connections: { id: string; name: string }[];
  tools: z.infer<typeof savedToolSchema>[];
  conversations: FileConversation[];
  media: FileMedia[];
}

export function createForeignFile(conversations: FileConversation[], media: FileMedia[] = []) {
  return { connections: [], tools: [], conversations, media } satisfies ConversationFile;
}

type RequiredOf<Value, Names extends keyof Value> = Pick<Value, Names> & Partial<Value>;

export function createFileMessage(
  fields: RequiredOf<FileMessage, 'id' | 'parentId' | 'role' | 'content' | 'createdAt'>,
): FileMessage {
  return {
    name: null,
    commentaryLength: 0,
    reasoning: null,
    reasoningTagged: false,
    reasoningEncrypted: false,
    toolCalls: [],
    toolCallId: null,
    callRecord: null,
    audio: null,
    sources: [],
    wire: null,
    run: null,
    choiceIndex: null,
    ...fields,
  };
}

/** An empty title means that the first message becomes the title. */
export function createFileConversation(
  fields: RequiredOf<FileConversation, 'title' | 'createdAt' | 'activeLeafId' | 'messages'>,
): FileConversation {
  const title = fields.title.trim().slice(0, MAX_TITLE_LENGTH);
  return {
    titled: title !== '',
    pinned: false,
    archived: false,
    folder: null,
    updatedAt: fields.createdAt,
    systemMessage: '',
    options: defaultConversationOptions,
    settings: {},
    ...fields,
    title,
  };
}

/** Dates end 100 million days from 1970: https://tc39.es/ecma262/#sec-time-values-and-time-range */
export function isDate(timeMs: number): boolean {
  return Math.abs(timeMs) <= 8.64e15;
}

/** `problem` is a sentence. */
export function importError(
  problem: string,
  nextStep = 'Nothing was imported. Choose another file.',
): UserFacingError {
  return new UserFacingError(appError('invalid-request', problem, nextStep));
}

/** Describes the first schema issue and its path. */
export function describeIssue([issue]: readonly z.core.$ZodIssue[]): string {
  if (issue === undefined) return 'The file isn’t valid.';
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}
