/** Defines the prices of a connection's model. */
import { z } from 'zod';

const dollars = z
  .number('Enter a number.')
  .min(0, 'Enter 0 or more.')
  .max(1_000_000, 'Enter at most 1,000,000.')
  .nullable()
  .default(null);

/** US dollars; null if the model is not billed by the unit. */
export const ratesSchema = z.object({
  inputPerMillionTokens: dollars,
  /** Null if cached input tokens cost the same as other input tokens. */
  cachedInputPerMillionTokens: dollars,
  /** Null if writing input tokens to the cache costs the same as other input tokens. */
  cacheWritePerMillionTokens: dollars,
  /** Null if keeping them for an hour costs the same as other writes to the cache. */
  hourCacheWritePerMillionTokens: dollars,
  outputPerMillionTokens: dollars,
  perImage: dollars,
  perVideoSecond: dollars,
  /** The price of input text for speech. */
  perMillionCharacters: dollars,
  /** The price of transcribed or generated audio. */
  perSoundMinute: dollars,
});
export type Rates = z.infer<typeof ratesSchema>;
export type RateName = keyof Rates;

const model = z
  .string('Enter a model.')
  .trim()
  .min(1, 'Enter a model.')
  .max(300, 'Use at most 300 characters.');

export const priceSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  model: z.string(),
  rates: ratesSchema,
});
export type Price = z.infer<typeof priceSchema>;

/** The source of a price; the sources are listed in order of precedence. */
export const priceSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('own'), id: z.string() }),
  /** `readAt` is the time of the gateway's model list in Unix milliseconds. */
  z.object({ kind: z.literal('gateway'), readAt: z.number() }),
  /** `date` is the ISO date of the table of list prices. */
  z.object({ kind: z.literal('list'), date: z.string() }),
]);

/** The price that cost estimates use. */
export const knownPriceSchema = z.object({ rates: ratesSchema, source: priceSourceSchema });
export type KnownPrice = z.infer<typeof knownPriceSchema>;

/** A price for a connection's model that the user didn't set. */
export const otherPriceSchema = knownPriceSchema.extend({
  connectionId: z.string(),
  model: z.string(),
});
export type OtherPrice = z.infer<typeof otherPriceSchema>;

/** The prices to show in addition to the user's own. */
export const otherPricesSchema = z.object({
  prices: z.array(otherPriceSchema),
  /** How many of the listed models have such a price. */
  total: z.int(),
  /** The ISO date of the table of list prices. */
  listDate: z.string(),
});
export type OtherPrices = z.infer<typeof otherPricesSchema>;

export const priceInputSchema = z.object({
  connectionId: z.string().min(1, 'Choose a connection.'),
  model,
  rates: ratesSchema.superRefine(refuseEmpty),
});
export type PriceInput = z.infer<typeof priceInputSchema>;

/** Exported rows use connection names, because IDs differ between machines. */
export const exportedPriceSchema = z
  .strictObject(
    {
      connection: z
        .string('Enter the name of a connection.')
        .min(1, 'Enter the name of a connection.'),
      model,
      ...ratesSchema.shape,
    },
    {
      error: ({ code }) =>
        code === 'invalid_type'
          ? 'Enter an object with a connection, a model and prices.'
          : undefined,
    },
  )
  .superRefine(refuseEmpty);
export type ExportedPrice = z.infer<typeof exportedPriceSchema>;

/** Cached tokens count as input too, so these rates require an input rate. */
export const cacheRates = [
  'cachedInputPerMillionTokens',
  'cacheWritePerMillionTokens',
  'hourCacheWritePerMillionTokens',
] as const satisfies readonly RateName[];

function refuseEmpty(rates: Rates, context: z.RefinementCtx): void {
  const hasCacheRate = cacheRates.some((name) => rates[name] !== null);
  if (hasCacheRate && rates.inputPerMillionTokens === null) {
    const message = 'Enter a price for input tokens too.';
    context.addIssue({ code: 'custom', path: ['inputPerMillionTokens'], message });
  } else if (ratesSchema.keyof().options.every((name) => rates[name] === null)) {
    context.addIssue({ code: 'custom', message: 'Enter at least one price.' });
  }
}
