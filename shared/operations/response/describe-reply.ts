/** Helpers for the `reply` and `codeReply` of several operations. */
import type { JsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { CodeReply, OperationReply } from '../operation.ts';
import type { ReplyEnvelope } from './envelope.ts';
import { textOfValue } from './values.ts';

export const emptyReply: OperationReply = { text: '', sections: [], warnings: [], facts: [] };

/** Those that have text. */
export function textSections(
  sections: readonly (readonly [title: string, text: string, format?: 'markdown'])[],
): OperationReply['sections'] {
  return sections.flatMap(([title, text, format]): OperationReply['sections'] =>
    text === '' ? [] : [{ title, text, format: format ?? 'plain' }],
  );
}

/** Those that have a value. */
export function knownFacts(
  facts: readonly (readonly [name: string, value: string | null])[],
): OperationReply['facts'] {
  return facts.flatMap(([name, value]): OperationReply['facts'] =>
    value === null || value === '' ? [] : [[name, value]],
  );
}

/** Returns the facts of a chat or completion response, in its own order. */
export function envelopeFacts(
  { id, model, created, usage, done, streamed }: ReplyEnvelope,
  reasons: readonly string[],
  systemFingerprint: string | null,
): OperationReply['facts'] {
  const facts = knownFacts([
    ['id', id],
    ['model', model],
    ['created', created === null ? null : dateText(created)],
    ['system_fingerprint', systemFingerprint],
    ['finish_reason', reasons.join(', ')],
    ...usageFacts(usage ?? {}),
  ]);
  return streamed === true ? [...facts, ['ended with [DONE]', done ? 'yes' : 'no']] : facts;
}

/** Each count under its path: `prompt_tokens_details.cached_tokens`. */
function usageFacts(usage: JsonObject): [name: string, value: string | null][] {
  return Object.entries(usage).flatMap(([name, value]): [string, string | null][] => {
    if (isJsonObject(value)) {
      return usageFacts(value).map(([inner, text]) => [`${name}.${inner}`, text]);
    }
    return [[name, value === null ? null : textOfValue(value)]];
  });
}

/** Some gateways send milliseconds; a number that is not a date is shown unchanged. */
function dateText(created: JsonNumber): string {
  const date = new Date(Number(created) * 1000);
  return Number.isNaN(date.getTime()) ? String(created) : `${created} (${date.toISOString()})`;
}

/** ` of choice 2`, counted from 1, where there are several. */
export function ofChoice(index: number, count: number): string {
  return count > 1 ? ` of choice ${index + 1}` : '';
}

export function streamOrText(_state: unknown, sent: JsonValue): CodeReply {
  return isJsonObject(sent) && sent.stream === true ? { kind: 'stream' } : { kind: 'text' };
}

/** The start of a text as lists show it. */

const LENGTH = 120;

/** One line of at most 120 characters; an ellipsis says that there is more. */
export function previewLine(text: string): string {
  // A long prompt is cut before it is looked at; whitespace in it costs at most some of the line.
  const line = text
    .slice(0, LENGTH * 8)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH - 1).join('')}…` : line;
}
