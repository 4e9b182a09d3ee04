/** A tool definition that the user saved, to be switched on in conversations. */
import { z } from 'zod';
import { toolSchema } from './operations/chat/message.ts';

export const savedToolSchema = z.object({
  id: z.string(),
  tool: toolSchema,
  createdAt: z.number(),
});
export type SavedTool = z.infer<typeof savedToolSchema>;

/** `id` null adds one; names are unique. */
export const saveToolInputSchema = z.object({ id: z.string().nullable(), tool: toolSchema });
