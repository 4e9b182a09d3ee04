/** What a run is to do: stated by whoever starts it, recorded with it, and given again to repeat it. */
import { z } from 'zod';
import { jsonObjectSchema } from './json-schema.ts';

/** What a caller leaves out is empty. */
export const runInputSchema = z.object({
  /** Fields of the interface and nothing else; those that are not set are left out. */
  request: jsonObjectSchema,
  /** Merged into the body last, under its own names; sent exactly as written, held to no limits. */
  extraBody: jsonObjectSchema.default({}),
  /** Field → the name it is sent under, for fields that the operation calls renamable. */
  wireNames: z.record(z.string(), z.string()).default({}),
  /** The id of a task that the gateway has already: nothing is sent, the task is followed. */
  follow: z.string().nullable().default(null),
});
export type RunInput = z.infer<typeof runInputSchema>;
export type PartialRunInput = z.input<typeof runInputSchema>;
