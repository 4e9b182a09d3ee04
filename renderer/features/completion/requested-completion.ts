import type { JsonObject } from '../../../shared/json.ts';
import type { RunInput } from '../../../shared/run-input.ts';

/** The request of the shown run: the boxes may have changed since. */
export interface RequestedCompletion {
  prompt: string;
  suffix: string;
  /** The reply begins with the prompt. */
  echo: boolean;
}

/** Extra body fields win, as they did when the body was made. */
export function requestedCompletion({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): RequestedCompletion {
  const sent: JsonObject = { ...request, ...extraBody };
  return { prompt: textOf(sent.prompt), suffix: textOf(sent.suffix), echo: sent.echo === true };
}

function textOf(value: JsonObject[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}
