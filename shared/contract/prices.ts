/** Prices of models: the table that estimates are computed from. */
import { z } from 'zod';
import { exportedPriceSchema, priceInputSchema, priceSchema } from '../prices.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const pricesContract = {
  /** By connection, then model. */
  list: procedure.output(z.array(priceSchema)),
  /** `id` null: a new one, which replaces that of the same connection and model. */
  save: procedure.input(priceInputSchema.extend({ id: z.string().nullable() })).output(priceSchema),
  remove: procedure.input(byId).output(deletedSchema),
  /** Returns the estimated cost since midnight, in US dollars, of each connection with prices. */
  today: procedure.output(z.array(z.object({ connectionId: z.string(), dollars: z.number() }))),
  /** The whole table, as `import` reads it. */
  export: procedure.output(z.object({ prices: z.array(exportedPriceSchema) })),
  /** JSON as it was exported, or a list of its rows. All of it or nothing. */
  import: procedure
    .input(z.object({ text: z.string().max(4_000_000, 'The file is too large.') }))
    .output(z.object({ count: z.int() })),
};
