/** Defines the usage of a run that prices count. */
import { z } from 'zod';

const quantity = z.number().nonnegative().nullable().optional();

/** Undefined if the operation isn't billed by the quantity; null if the quantity is unknown. */
export const quantitiesSchema = z.object({
  /** Includes cached tokens. */
  inputTokens: quantity,
  /** Undefined if the gateway doesn't report cache usage. */
  cachedTokens: quantity,
  outputTokens: quantity,
  images: quantity,
  videoSeconds: quantity,
  /** Length of the text for speech. */
  characters: quantity,
  /** Duration of transcribed or generated audio. */
  soundSeconds: quantity,
  /** The gateway's own cost in US dollars, which replaces any estimate. */
  chargedDollars: z.number().nonnegative().optional(),
});
export type Quantities = z.infer<typeof quantitiesSchema>;
