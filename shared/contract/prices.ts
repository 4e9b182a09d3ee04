/** Defines the procedures for model prices, which cost estimates use. */
import { z } from 'zod';
import { exportedPriceSchema, priceInputSchema, priceSchema } from '../prices.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const pricesContract = {
  list: procedure.output(z.array(priceSchema)),
  /** A null `id` adds a price and replaces any price for the same connection and model. */
  save: procedure.input(priceInputSchema.extend({ id: z.string().nullable() })).output(priceSchema),
  remove: procedure.input(byId).output(deletedSchema),
  /** Returns each priced connection's estimated cost since midnight in US dollars. */
  today: procedure.output(z.array(z.object({ connectionId: z.string(), dollars: z.number() }))),
  export: procedure.output(z.object({ prices: z.array(exportedPriceSchema) })),
  /** Accepts exported JSON or a list of rows; imports all rows or none. */
  import: procedure
    .input(z.object({ text: z.string().max(4_000_000, 'The file is too large.') }))
    .output(z.object({ count: z.int() })),
};
