/** What a video form holds beside model and parameters. */
import { z } from 'zod';

export const videoInputSchema = z.object({
  prompt: z.string(),
  /** `media:<id>`, a URL or base64; empty for none. */
  image: z.string(),
  /** The entries of `metadata`; one without a value is not sent. */
  rows: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type VideoInput = z.infer<typeof videoInputSchema>;
