/** Makes the requests of a load. */
import type { JsonObject } from '../../json.ts';
import { type OperationName, operationNameSchema } from '../../operations/operation-name.ts';
import { operations } from '../../operations/operations.ts';

/** The fields of a prompt, for the operations that need nothing else. */
export const promptFields = {
  chat: (content: string): JsonObject => ({ messages: [{ role: 'user', content }] }),
  completion: (prompt: string): JsonObject => ({ prompt }),
  embeddings: (input: string): JsonObject => ({ input }),
};
export type PromptOperation = keyof typeof promptFields;

export function isPromptOperation(operation: OperationName): operation is PromptOperation {
  return Object.hasOwn(promptFields, operation);
}

export const promptOperations: readonly PromptOperation[] =
  operationNameSchema.options.filter(isPromptOperation);

/** Adds the operation's usual settings to the fields; only text has `maxTokens`. */
export function createLoadRequest(
  operation: OperationName,
  fields: JsonObject,
  maxTokens: number | null,
): JsonObject {
  const isText = operation === 'chat' || operation === 'completion';
  const length = isText && maxTokens !== null ? { max_tokens: maxTokens } : {};
  return { ...operations[operation].draft, ...length, ...fields };
}
