/** The models that a connection offers for an operation. */
import { z } from 'zod';
import { operationNameSchema } from '../operations/operation-name.ts';
import { procedure } from './procedure.ts';

const modelSuggestionSchema = z.object({
  id: z.string(),
  ownedBy: z.string().nullable(),
  /** Run before for this operation; these come first, the last one at the top. */
  used: z.boolean(),
  /** Whether it answers this operation, as the gateway says; null if that says nothing. */
  fits: z.boolean().nullable(),
  /** Describes a simulated model; null for a gateway's. */
  description: z.string().nullable(),
});
export type ModelSuggestion = z.infer<typeof modelSuggestionSchema>;

const modelSuggestionsSchema = z.object({
  models: z.array(modelSuggestionSchema),
  /** The model a new draft starts with; null if only the user can know. */
  preselected: z.string().nullable(),
  /** Why the gateway's own list is missing, in one sentence; null if it was received. */
  listProblem: z.string().nullable(),
});
export type ModelSuggestions = z.infer<typeof modelSuggestionsSchema>;

export const modelsContract = {
  suggest: procedure
    .input(z.object({ connectionId: z.string(), operation: operationNameSchema }))
    .output(modelSuggestionsSchema),
};
