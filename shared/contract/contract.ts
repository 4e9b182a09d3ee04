/** Combines all procedures that the page may call. No procedure returns an API key. */

import { z } from 'zod';
import { formChangeSchema, formQuerySchema, formUpdateSchema } from '../form.ts';
import { libraryItemSchema, mediaQuerySchema, mediaSchema } from '../media.ts';
import {
  exportedPriceSchema,
  otherPricesSchema,
  priceInputSchema,
  priceSchema,
} from '../prices.ts';
import {
  presetSchema,
  savedPromptSchema,
  savedRequestSchema,
  savedToolSchema,
  saveToolInputSchema,
  saveToolSetInputSchema,
  toolSetSchema,
} from '../saved-items.ts';
import { savedRunFilterSchema } from '../saved-run-filter.ts';
import { settingsSchema } from '../settings.ts';
import { triedAnswerSchema, tryAnswerSchema } from '../tool-answer.ts';
import { backupsContract } from './backups.ts';
import { checksContract } from './checks.ts';
import { comparisonsContract } from './comparisons.ts';
import { connectionsContract } from './connections.ts';
import { conversationsContract } from './conversations.ts';
import { dataContract } from './data.ts';
import { deletionsContract } from './deletions.ts';
import { mcpContract } from './mcp.ts';
import { modelsContract } from './models.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';
import { runsContract } from './runs.ts';
import { systemContract } from './system.ts';
import { updatesContract } from './updates.ts';

/** `save` replaces the item with the same name, except that it rejects a tool's name that is taken. */
function savedItems<Item extends z.ZodType, Input extends z.ZodType>(item: Item, input: Input) {
  return {
    list: procedure.output(z.array(item)),
    save: procedure.input(input).output(item),
  };
}

export const contract = {
  system: systemContract,
  settings: {
    get: procedure.output(settingsSchema),
    update: procedure.input(settingsSchema.partial()).output(settingsSchema),
  },
  connections: connectionsContract,
  models: modelsContract,
  runs: runsContract,
  /** The bytes of each item are served from `/media/<id>`. */
  media: {
    get: procedure.input(byId).output(mediaSchema.nullable()),
    list: procedure
      .input(mediaQuerySchema)
      .output(z.object({ media: z.array(libraryItemSchema), more: z.boolean() })),
    rename: procedure
      .input(z.object({ id: z.string(), name: z.string().trim().min(1).max(200) }))
      .output(mediaSchema),
    /** Keeps the format of raw samples, whose file doesn't say it. */
    setShape: procedure
      .input(
        z.object({
          id: z.string(),
          sampleRate: z.int().min(1000).max(1_000_000),
          channels: z.int().min(1).max(2),
        }),
      )
      .output(mediaSchema),
    /** Deletes the item; runs and messages that refer to it keep only its name. */
    remove: procedure.input(byId).output(deletedSchema),
    /** Downloads an image linked in an answer, without a key or cookies; the limit is 20 MB. */
    fetchRemote: procedure.input(z.object({ url: z.string().max(8192) })).output(mediaSchema),
  },
  /** Items that the user names. */
  saved: {
    presets: savedItems(presetSchema, presetSchema.omit({ id: true })),
    prompts: savedItems(savedPromptSchema, savedPromptSchema.omit({ id: true })),
    requests: savedItems(savedRequestSchema, savedRequestSchema.omit({ id: true })),
    /** Each conversation chooses which of the tools to send. */
    tools: savedItems(savedToolSchema, saveToolInputSchema),
    toolSets: savedItems(toolSetSchema, saveToolSetInputSchema),
    filters: savedItems(savedRunFilterSchema, savedRunFilterSchema.omit({ id: true })),
    remove: procedure.input(byId).output(deletedSchema),
  },
  tools: {
    /** Answers a test call as a conversation would, but without a model. */
    try: procedure.input(tryAnswerSchema).output(triedAnswerSchema),
  },
  mcp: mcpContract,
  forms: {
    get: procedure.input(formQuerySchema).output(formUpdateSchema),
    change: procedure.input(formChangeSchema).output(formUpdateSchema),
    remove: procedure.input(byId).output(z.void()),
  },
  prices: {
    list: procedure.output(z.array(priceSchema)),
    /**
     * Returns the gateways' prices and the list prices in use, for models that were used or, if
     * `search` is set, for models whose ID contains its words.
     */
    others: procedure.input(z.object({ search: z.string().max(200) })).output(otherPricesSchema),
    /** A null `id` adds a price, replacing any price for the same connection and model. */
    save: procedure
      .input(priceInputSchema.extend({ id: z.string().nullable() }))
      .output(priceSchema),
    remove: procedure.input(byId).output(deletedSchema),
    /** Returns the estimated cost since midnight, in US dollars, of each connection. */
    today: procedure.output(z.array(z.object({ connectionId: z.string(), dollars: z.number() }))),
    export: procedure.output(z.object({ prices: z.array(exportedPriceSchema) })),
    /** Accepts exported JSON or a list of rows; imports all rows or none. */
    import: procedure
      .input(z.object({ text: z.string().max(4_000_000, 'The file is too large.') }))
      .output(z.object({ count: z.int() })),
  },
  checks: checksContract,
  comparisons: comparisonsContract,
  conversations: conversationsContract,
  backups: backupsContract,
  data: dataContract,
  deletions: deletionsContract,
  updates: updatesContract,
};
export type AppContract = typeof contract;
