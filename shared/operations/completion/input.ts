/** What a completion form holds beside model and parameters. */
import { z } from 'zod';

export const completionInputSchema = z.object({ prompt: z.string(), suffix: z.string() });
export type CompletionInput = z.infer<typeof completionInputSchema>;
