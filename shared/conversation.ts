/** Defines a conversation as a tree of messages with options. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import type { JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { type BuiltInChoice, builtInChoiceSchema } from './operations/chat/built-in-tools.ts';
import { continuedSchema } from './operations/chat/continuation.ts';
import { contentSchema, roleSchema, toolCallSchema } from './operations/chat/message.ts';
import type { Source } from './operations/chat/sources.ts';
import { runStatusSchema, runSummarySchema } from './run.ts';
import { callRecordSchema } from './tool-answer.ts';

/** The maximum number of conversations that one procedure lists or changes. */
export const MAX_LISTED_CONVERSATIONS = 10_000;

/** Only the start of a longer message is searched, because indexing a megabyte blocks for 50 ms. */
export const MAX_SEARCHED_LENGTH = 100_000;

/** A larger file isn't exported either, because it couldn't be imported. */
export const MAX_CONVERSATION_FILE_BYTES = 64 * 1024 * 1024;

export const folderNameSchema = z.string().trim().min(1, 'Enter a name.').max(80);

export const conversationSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  /** True if the user named the conversation; otherwise, the title is the first message. */
  titled: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messageCount: z.int(),
  lastRunStatus: runStatusSchema.nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** The name of the folder; null if the conversation isn't in one. */
  folder: z.string().nullable(),
  match: z.string().nullable(),
});
export type ConversationSummary = z.infer<typeof conversationSummarySchema>;

export const MAX_ROUNDS = 100;
const DEFAULT_ROUNDS = 8;

/** When to send provider-specific fields back; `automatic` only for turns that call tools. */
export const providerFieldsSchema = z.enum(['automatic', 'always', 'never']);
export type ProviderFields = z.infer<typeof providerFieldsSchema>;

export const toolChoiceSchema: z.ZodType<ToolChoice | null, ToolChoice | null> = z
  .union([z.enum(['none', 'auto', 'required']), z.object({ name: z.string() })])
  .nullable();

/** An MCP server's tool, named as on the server, which may no longer exist. */
export const mcpToolChoiceSchema = z.object({ serverId: z.string(), name: z.string() });
export type McpToolChoice = z.infer<typeof mcpToolChoiceSchema>;

export const conversationOptionsSchema: z.ZodType<ConversationOptions> = z.object({
  toolIds: z.array(z.string()),
  mcpTools: z.array(mcpToolChoiceSchema).default([]),
  /** Tools of the provider; those of other formats aren’t sent. */
  builtInTools: z.array(builtInChoiceSchema).default([]),
  toolChoice: toolChoiceSchema,
  providerFields: providerFieldsSchema,
  responseFormat: jsonObjectSchema.nullable(),
  /** The maximum requests per turn; tool calls in the last answer aren't answered. */
  maxRounds: z.int().min(1).max(MAX_ROUNDS).default(DEFAULT_ROUNDS),
  /** If true, calls that no tool can answer get an error instead of waiting for the user. */
  rejectsBadCalls: z.boolean().default(false),
});

export const answerAudioSchema = z.object({
  id: z.string().nullable(),
  media: z.string().nullable(),
  transcript: z.string(),
  expiresAt: z.number().nullable(),
});
export type AnswerAudio = z.infer<typeof answerAudioSchema>;

const sourceSchema: z.ZodType<Source> = z.object({
  number: z.int(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  marks: z.array(z.string()),
});

/** Sorted by number. */
export const sourcesSchema = z.array(sourceSchema);

/** A node of the tree; an answer's text is copied from its run when the run ends. */
export const treeMessageSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  role: roleSchema,
  content: contentSchema,
  name: z.string().nullable(),
  /** The number of characters at the start of the content that are commentary. */
  commentaryLength: z.int().nonnegative().default(0),
  reasoning: z.string().nullable(),
  /** The reasoning came from `<think>` tags in the text. */
  reasoningTagged: z.boolean(),
  /** Some or all of the reasoning is encrypted and can be read only by the provider. */
  reasoningEncrypted: z.boolean(),
  toolCalls: z.array(toolCallSchema),
  toolCallId: z.string().nullable(),
  callRecord: callRecordSchema.nullable().default(null),
  audio: answerAudioSchema.nullable(),
  sources: sourcesSchema,
  run: runSummarySchema.nullable(),
  /** The run of an imported answer, which can be shown but not inspected. */
  importedRun: runSummarySchema.nullable(),
  /** The answer that this one continues; its text is the start of `content`. */
  continued: continuedSchema.nullable(),
  choiceIndex: z.int().nullable(),
  createdAt: z.number(),
});
export type TreeMessage = z.infer<typeof treeMessageSchema>;

/** A tool call that Gatehouse is answering; `asking` waits for the user to allow it. */
const workingCallSchema = z.object({
  /** The position among the answer's calls, because IDs may repeat. */
  place: z.int().nonnegative(),
  id: z.string(),
  /** For an MCP tool, this is its name on the server. */
  name: z.string(),
  by: callRecordSchema.shape.by,
  server: z.string().nullable(),
  call: callRecordSchema.shape.call,
  status: z.enum(['asking', 'running']),
  /** When the tool started, in Unix milliseconds; null while the call waits for the user. */
  startedAt: z.number().nullable(),
});
export type WorkingCall = z.infer<typeof workingCallSchema>;

/** A turn that Gatehouse continues by itself, or the reason why it couldn't. */
export const turnSchema = z.object({
  /** The first run of the turn, or a new ID if the user continued it. */
  id: z.string(),
  /** The answer whose calls are being answered. */
  answerId: z.string(),
  /** The answer's run, or the run of the turn's next request. */
  runId: z.string(),
  calls: z.array(workingCallSchema),
  /** If set, the turn has ended. */
  problem: appErrorSchema.nullable(),
});
export type LiveTurn = z.infer<typeof turnSchema>;

export const conversationSchema = conversationSummarySchema.extend({
  systemMessage: z.string(),
  options: conversationOptionsSchema,
  activeLeafId: z.string().nullable(),
  turns: z.array(turnSchema),
  /** Oldest first; either all messages, or the end of the displayed branch with its siblings. */
  messages: z.array(treeMessageSchema),
  /** Whether `messages` has every message. */
  complete: z.boolean(),
  /** A revision, `<epoch>:<number>`; pass it as `since` to get only later changes. */
  revision: z.string(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const writtenMessageSchema = z.object({
  role: roleSchema,
  content: contentSchema,
  name: z.string().optional(),
  toolCallId: z.string().optional(),
  /** Only assistant messages have `reasoning` and `toolCalls`. */
  reasoning: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
});
export type WrittenMessage = z.infer<typeof writtenMessageSchema>;

/** A message that a turn sends after its last answer, with the settings it was queued with. */
export const queuedMessageSchema = z.object({
  queuedAt: z.number(),
  message: writtenMessageSchema,
  /** The turn that sends it. Only the user sends it if that turn has ended. */
  turnId: z.string(),
  connectionId: z.string(),
  request: jsonObjectSchema,
  extraBody: jsonObjectSchema,
  wireNames: z.record(z.string(), z.string()),
  sourceRunId: z.string().nullable(),
  /** Why sending failed; null if it wasn't attempted. */
  problem: appErrorSchema.nullable(),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

export type ToolChoice = 'none' | 'auto' | 'required' | { name: string };

export type ConversationOptions = {
  toolIds: string[];
  mcpTools: McpToolChoice[];
  builtInTools: BuiltInChoice[];
  toolChoice: ToolChoice | null;
  providerFields: ProviderFields;
  responseFormat: JsonObject | null;
  maxRounds: number;
  rejectsBadCalls: boolean;
};

export const defaultConversationOptions: ConversationOptions = {
  toolIds: [],
  mcpTools: [],
  builtInTools: [],
  toolChoice: null,
  providerFields: 'automatic',
  responseFormat: null,
  maxRounds: DEFAULT_ROUNDS,
  rejectsBadCalls: false,
};
