/**
 * Defines how a conversation is written as Markdown: each message follows a comment with its
 * details, which viewers hide and the import reads.
 */
import { z } from 'zod';
import { roleSchema, toolCallSchema } from '../../../shared/operations/chat/message.ts';

export const CONVERSATION_MARK = 'gatehouse-conversation';
export const MESSAGE_MARK = 'gatehouse-message';

export const conversationMarkSchema = z.object({
  version: z.literal(1),
  title: z.string(),
  titled: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** True if the first section is the system message. */
  system: z.boolean(),
});
export type ConversationMark = z.infer<typeof conversationMarkSchema>;

export const messageMarkSchema = z.object({
  role: roleSchema,
  name: z.string().optional(),
  model: z.string().optional(),
  connection: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  toolCallId: z.string().optional(),
  createdAt: z.number(),
  /** True if a section with the reasoning comes first. */
  reasoning: z.boolean().optional(),
});
export type MessageMark = z.infer<typeof messageMarkSchema>;

export const REASONING_OPENING = '<details>\n<summary>Reasoning</summary>\n\n';
export const REASONING_CLOSING = '\n\n</details>\n\n';

/** Escapes `--`, which would end the comment. */
export function writeMark(mark: string, details: ConversationMark | MessageMark): string {
  const json = JSON.stringify(details)
    .replaceAll('--', '\\u002d\\u002d')
    .replaceAll('>', '\\u003e');
  return `<!-- ${mark}: ${json} -->\n`;
}

const IN_TEXT = /^(<!-- )(\\*gatehouse-(?:conversation|message): )/gm;
const ESCAPED = /^(<!-- )\\(\\*gatehouse-(?:conversation|message): )/gm;

/** Escapes text that looks like a mark, such as a quoted export. */
export function escapeMarks(text: string): string {
  return text.replaceAll(IN_TEXT, '$1\\$2');
}

export function unescapeMarks(text: string): string {
  return text.replaceAll(ESCAPED, '$1$2');
}
