/** What a rerank form holds beside model and parameters. */
import { z } from 'zod';

export const rerankInputSchema = z.object({
  query: z.string(),
  /** One document per line; a line break inside a document is `↵`. */
  documents: z.string(),
});
export type RerankInput = z.infer<typeof rerankInputSchema>;
