/** What a chat form holds beside model and parameters: the message that is being written. */
import { z } from 'zod';
import { conversationOptionsSchema } from '../../conversation.ts';
import { contentPartSchema, roleSchema, toolCallSchema } from './message.ts';

/** What a message says beside its content; empty if it says nothing. */
const messageDetailsSchema = z.object({
  name: z.string(),
  /** The call that a message of role `tool` answers; in a composer, empty for the newest open one. */
  toolCallId: z.string(),
  /** These two of role `assistant` only. */
  reasoning: z.string(),
  toolCalls: z.array(toolCallSchema),
});
export type MessageDetails = z.infer<typeof messageDetailsSchema>;

export const chatInputSchema = z.object({
  text: z.string(),
  /** Attached content parts, which follow the text. */
  parts: z.array(contentPartSchema),
  role: roleSchema,
  ...messageDetailsSchema.shape,
  /** Of the conversation that begins with this message, as are the options. */
  systemMessage: z.string(),
  options: conversationOptionsSchema,
});
export type ChatInput = z.infer<typeof chatInputSchema>;

/** Changes that were not saved yet, to a message or to the text of a tool or schema. */
export const unsavedEditSchema = z.object({
  text: z.string(),
  /** Attached content parts of a message. */
  parts: z.array(contentPartSchema).optional(),
  /** What else a message says. */
  details: messageDetailsSchema.optional(),
});
export type UnsavedEdit = z.infer<typeof unsavedEditSchema>;
