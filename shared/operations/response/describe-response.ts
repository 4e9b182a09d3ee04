/** Helpers that implement `response` and `codeResponse` of operations. */
import type { JsonNumber } from '../../exact-number.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import type { CodeResponse, OperationResponse } from '../operation.ts';
import type { ResponseEnvelope } from './envelope.ts';
import { toDisplayText } from './values.ts';

export const emptyResponse: OperationResponse = { text: '', sections: [], warnings: [], facts: [] };

export function listTextSections(
  sections: readonly (readonly [title: string, text: string, format?: 'markdown'])[],
): OperationResponse['sections'] {
  return sections.flatMap(([title, text, format]): OperationResponse['sections'] =>
    text === '' ? [] : [{ title, text, format: format ?? 'plain' }],
  );
}

export function listKnownFacts(
  facts: readonly (readonly [name: string, value: string | null])[],
): OperationResponse['facts'] {
  return facts.flatMap(([name, value]): OperationResponse['facts'] =>
    value === null || value === '' ? [] : [[name, value]],
  );
}

/** Returns the facts of a chat or completion response. */
export function listEnvelopeFacts(
  { id, model, created, usage, timings, done, streamed }: ResponseEnvelope,
  reasons: readonly string[],
  systemFingerprint: string | null,
): OperationResponse['facts'] {
  const facts = listKnownFacts([
    ['id', id],
    ['model', model],
    ['created', created === null ? null : formatDate(created)],
    ['system_fingerprint', systemFingerprint],
    ['finish_reason', reasons.join(', ')],
    ...flattenFacts(usage ?? {}),
    ...flattenFacts(timings === undefined ? {} : { timings }),
  ]);
  return streamed === true ? [...facts, ['ended with [DONE]', done ? 'yes' : 'no']] : facts;
}

/** Flattens nested counts, with names such as `prompt_tokens_details.cached_tokens`. */
export function flattenFacts(counts: JsonObject): [name: string, value: string | null][] {
  return Object.entries(counts).flatMap(([name, value]): [string, string | null][] => {
    if (isJsonObject(value)) {
      return flattenFacts(value).map(([inner, text]) => [`${name}.${inner}`, text]);
    }
    return [[name, value === null ? null : toDisplayText(value)]];
  });
}

/** Some gateways send milliseconds; shows an invalid date as the raw number. */
function formatDate(created: JsonNumber): string {
  const date = new Date(Number(created) * 1000);
  return Number.isNaN(date.getTime()) ? String(created) : `${created} (${date.toISOString()})`;
}

/** Returns ` of choice 2`, counted from 1; empty if there is only one choice. */
export function describeChoice(index: number, count: number): string {
  return count > 1 ? ` of choice ${index + 1}` : '';
}

/** `sent` is a JSON body, or a recorded form with a list of fields. */
export function streamOrText(_state: unknown, sent: JsonValue): CodeResponse {
  const { stream, fields } = isJsonObject(sent) ? sent : {};
  const isStreamed =
    stream === true ||
    (Array.isArray(fields) && fields.some((field) => isSameJson(field, ['stream', 'true'])));
  return { kind: isStreamed ? 'stream' : 'text' };
}

const LENGTH = 120;

/** Returns one line of at most 120 characters; an ellipsis marks truncated text. */
export function previewLine(text: string): string {
  // Truncate a long prompt first, because the regular expression would scan all of it.
  const line = text
    .slice(0, LENGTH * 8)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH - 1).join('')}…` : line;
}
