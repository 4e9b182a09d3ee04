/** The usage of a run, as prices count it. */
import { z } from 'zod';

const quantity = z.number().nonnegative().nullable().optional();

/**
 * A name that is missing is nothing that the operation is billed by; null is one that may be billed and is not
 * known.
 */
export const quantitiesSchema = z.object({
  /** All of them, with those read from the cache. */
  inputTokens: quantity,
  /** Missing if the gateway says nothing of a cache. */
  cachedTokens: quantity,
  outputTokens: quantity,
  images: quantity,
  videoSeconds: quantity,
  /** The characters of spoken text. */
  characters: quantity,
  /** The seconds of transcribed or generated audio. */
  soundSeconds: quantity,
});
export type Quantities = z.infer<typeof quantitiesSchema>;
