/** What a speech form holds beside model and parameters. */
import { z } from 'zod';

export const speechInputSchema = z.object({
  text: z.string(),
  /** How raw samples are played, in Hz: they have no header that says it. */
  sampleRate: z.int().min(1000).max(192_000),
  channels: z.int().min(1).max(2),
});
export type SpeechInput = z.infer<typeof speechInputSchema>;
