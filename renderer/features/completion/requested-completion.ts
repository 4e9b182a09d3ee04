import type { JsonObject } from '../../../shared/json.ts';
import type { CompletionInput } from '../../../shared/operations/completion/input.ts';
import type { RunInput } from '../../../shared/run-input.ts';

/** The request of the shown run: the boxes may have changed since. */
export interface RequestedCompletion {
  prompt: string;
  suffix: string;
  /** The reply begins with the prompt. */
  echo: boolean;
}

/** The boxes as fields of the request. */
export function requestOfInput({ prompt, suffix }: CompletionInput): JsonObject {
  return { prompt, ...(suffix !== '' && { suffix }) };
}

/** The reverse. */
export function inputOfRequest(request: JsonObject): CompletionInput {
  const { prompt, suffix } = requestedCompletion({ request, extraBody: {} });
  return { prompt, suffix };
}

/** Extra body fields win, as they did when the body was made. */
export function requestedCompletion({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): RequestedCompletion {
  const sent: JsonObject = { ...request, ...extraBody };
  return { prompt: getText(sent.prompt), suffix: getText(sent.suffix), echo: sent.echo === true };
}

function getText(value: JsonObject[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}
