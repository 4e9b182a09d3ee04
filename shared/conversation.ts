/** A conversation: a tree of messages, and its options. */
import { z } from 'zod';
import type { JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { contentSchema, roleSchema, toolCallSchema } from './operations/chat/message.ts';
import { runStatusSchema, runSummarySchema } from './run.ts';

export const conversationSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  /** True once the user named it; until then the first message does. */
  titled: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messageCount: z.int(),
  /** The status of its newest run; null if it has none. */
  lastRunStatus: runStatusSchema.nullable(),
  /** Where a search matched, a few words around it; null outside a search. */
  match: z.string().nullable(),
});
export type ConversationSummary = z.infer<typeof conversationSummarySchema>;

export const conversationOptionsSchema: z.ZodType<ConversationOptions> = z.object({
  toolIds: z.array(z.string()),
  toolChoice: z
    .union([z.enum(['none', 'auto', 'required']), z.object({ name: z.string() })])
    .nullable(),
  sendReasoning: z.boolean(),
  responseFormat: jsonObjectSchema.nullable(),
});

/** A spoken answer: `media` is the id of the stored sound, null if none was received. */
export const answerAudioSchema = z.object({
  id: z.string().nullable(),
  media: z.string().nullable(),
  transcript: z.string(),
  /** Unix seconds, as the gateway says. */
  expiresAt: z.number().nullable(),
});
export type AnswerAudio = z.infer<typeof answerAudioSchema>;

/**
 * A node of the tree. An answer points at its run and choice; its text is in the run while
 * that is in progress and is copied here once the run has ended.
 */
export const treeMessageSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  role: roleSchema,
  content: contentSchema,
  name: z.string().nullable(),
  reasoning: z.string().nullable(),
  /** The reasoning was part of the text, in `<think>` tags. */
  reasoningTagged: z.boolean(),
  toolCalls: z.array(toolCallSchema),
  toolCallId: z.string().nullable(),
  audio: answerAudioSchema.nullable(),
  /** The answer's own run; null for what the user wrote. */
  run: runSummarySchema.nullable(),
  choiceIndex: z.int().nullable(),
  createdAt: z.number(),
});
export type TreeMessage = z.infer<typeof treeMessageSchema>;

export const conversationSchema = conversationSummarySchema.extend({
  systemMessage: z.string(),
  options: conversationOptionsSchema,
  /** The end of the branch that is shown; null while empty. */
  activeLeafId: z.string().nullable(),
  /** Nodes, oldest first: all of them, or the end of the shown branch with the siblings of its messages. */
  messages: z.array(treeMessageSchema),
  /** Whether `messages` has all that there are. */
  complete: z.boolean(),
  /** For asking what has changed since: `<epoch>:<number>`. */
  revision: z.string(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** A message as the user wrote it. */
export const writtenMessageSchema = z.object({
  role: roleSchema,
  content: contentSchema,
  name: z.string().optional(),
  toolCallId: z.string().optional(),
  /** These two of role `assistant` only. */
  reasoning: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
});
export type WrittenMessage = z.infer<typeof writtenMessageSchema>;

export type ToolChoice = 'none' | 'auto' | 'required' | { name: string };

export type ConversationOptions = {
  /** Saved tools that the model may call here. */
  toolIds: string[];
  /** Null is not sent: the gateway decides. */
  toolChoice: ToolChoice | null;
  /** Earlier `reasoning_content` goes back to the model. */
  sendReasoning: boolean;
  /** `response_format` as it is sent; null is not sent. */
  responseFormat: JsonObject | null;
};

export const defaultConversationOptions: ConversationOptions = {
  toolIds: [],
  toolChoice: null,
  sendReasoning: false,
  responseFormat: null,
};
