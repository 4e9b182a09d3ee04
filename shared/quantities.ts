/** Defines the billed quantities of a run. */
import { z } from 'zod';

const quantity = z.number().nonnegative().nullable().optional();

/** Undefined if the operation isn't billed by this quantity; null if it's unknown. */
export const quantitiesSchema = z.object({
  /** Includes cached tokens and those written to the cache. */
  inputTokens: quantity,
  /** Undefined if the gateway doesn't report cache usage. */
  cachedTokens: quantity,
  /** Tokens written to the cache; undefined if the gateway doesn't report them. */
  cacheWriteTokens: quantity,
  /** The part of `cacheWriteTokens` that the cache keeps for an hour. */
  hourCacheWriteTokens: quantity,
  outputTokens: quantity,
  images: quantity,
  videoSeconds: quantity,
  /** The length of the input text for speech. */
  characters: quantity,
  /** The duration of transcribed or generated audio. */
  soundSeconds: quantity,
  /** The cost that the gateway reports in US dollars, which replaces any estimate. */
  chargedDollars: z.number().nonnegative().optional(),
});
export type Quantities = z.infer<typeof quantitiesSchema>;
