/** Defines the models that a connection suggests for an operation. */
import { z } from 'zod';
import { modelFactsSchema, voiceSchema } from '../model-facts.ts';
import { operationNameSchema } from '../operations/operation-name.ts';
import { knownPriceSchema } from '../prices.ts';
import { procedure } from './procedure.ts';

const modelSuggestionSchema = z.object({
  id: z.string(),
  ownedBy: z.string().nullable(),
  /**
   * When the model was last used for this operation, in Unix milliseconds; sorts used models first,
   * latest on top. Null if it wasn't used, or only in comparisons.
   */
  usedAt: z.number().nullable(),
  /** Whether the gateway says that the model supports the operation; null if it doesn't say. */
  fits: z.boolean().nullable(),
  /** Describes a demo model; null for any other model. */
  description: z.string().nullable(),
  /** Null if the gateway reports no facts about the model. */
  facts: modelFactsSchema.nullable(),
  price: knownPriceSchema.nullable(),
  /**
   * The format of the model's last run, or else the one that the gateway lists, or else that of the
   * connection's last run; empty for the operation's default, and null if all are unknown.
   */
  format: z.string().nullable(),
});
export type ModelSuggestion = z.infer<typeof modelSuggestionSchema>;

const modelSuggestionsSchema = z.object({
  models: z.array(modelSuggestionSchema),
  preselected: z.string().nullable(),
  /** The reason the gateway's model list is missing; null if the list loaded. */
  listProblem: z.string().nullable(),
});
export type ModelSuggestions = z.infer<typeof modelSuggestionsSchema>;

const modelSchema = z.object({ connectionId: z.string(), model: z.string().min(1).max(300) });

export const modelsContract = {
  suggest: procedure
    .input(z.object({ connectionId: z.string(), operation: operationNameSchema }))
    .output(modelSuggestionsSchema),
  /** Returns what is already known about a model. Sends nothing to the gateway. */
  facts: procedure
    .input(modelSchema)
    .output(z.object({ facts: modelFactsSchema.nullable(), price: knownPriceSchema.nullable() })),
  /** Returns the voices that the gateway lists; empty if it lists none. */
  voices: procedure.input(z.object({ connectionId: z.string() })).output(z.array(voiceSchema)),
};
