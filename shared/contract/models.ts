/** Defines the models that a connection suggests for an operation. */
import { z } from 'zod';
import { operationNameSchema } from '../operations/operation-name.ts';
import { procedure } from './procedure.ts';

const modelSuggestionSchema = z.object({
  id: z.string(),
  ownedBy: z.string().nullable(),
  /**
   * Whether the model was used before for this operation; used models come first, latest on top.
   */
  used: z.boolean(),
  /** Whether the gateway says that the model supports the operation; null if it doesn't say. */
  fits: z.boolean().nullable(),
  /** Describes a demo model; null for any other model. */
  description: z.string().nullable(),
});
export type ModelSuggestion = z.infer<typeof modelSuggestionSchema>;

const modelSuggestionsSchema = z.object({
  models: z.array(modelSuggestionSchema),
  preselected: z.string().nullable(),
  /** The reason the gateway's model list is missing; null if the list loaded. */
  listProblem: z.string().nullable(),
});
export type ModelSuggestions = z.infer<typeof modelSuggestionsSchema>;

export const modelsContract = {
  suggest: procedure
    .input(z.object({ connectionId: z.string(), operation: operationNameSchema }))
    .output(modelSuggestionsSchema),
};
