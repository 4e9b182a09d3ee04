/** Defines the models that a connection suggests for an operation. */
import { z } from 'zod';
import { operationNameSchema } from '../operations/operation-name.ts';
import { procedure } from './procedure.ts';

const modelSuggestionSchema = z.object({
  id: z.string(),
  ownedBy: z.string().nullable(),
  /** Used before for the operation; used models come first, with the latest at the top. */
  used: z.boolean(),
  /** Whether the gateway reports support for the operation; null if not reported. */
  fits: z.boolean().nullable(),
  /** Describes a demo model; null for a gateway's model. */
  description: z.string().nullable(),
});
export type ModelSuggestion = z.infer<typeof modelSuggestionSchema>;

const modelSuggestionsSchema = z.object({
  models: z.array(modelSuggestionSchema),
  preselected: z.string().nullable(),
  /** Explains why the gateway's model list is missing; null if the list was received. */
  listProblem: z.string().nullable(),
});
export type ModelSuggestions = z.infer<typeof modelSuggestionsSchema>;

export const modelsContract = {
  suggest: procedure
    .input(z.object({ connectionId: z.string(), operation: operationNameSchema }))
    .output(modelSuggestionsSchema),
};
