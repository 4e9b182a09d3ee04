/** The rows of a comparison, and what of a form makes them: pure. */
import type { Comparison } from '../../../shared/comparison.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import type { ComparedInput } from './compared-input.ts';
import { wordingLines } from './wording-lines.ts';

/** What each row sends: the panel's own fields, and below them those with the other wordings, no two the same. */
export function rowInputs(
  own: JsonObject,
  { word }: Pick<ComparedInput, 'word'>,
  wordings: string,
): JsonObject[] {
  if (word?.several === undefined) return [own];
  const first = word.read(own)?.trim();
  const others = wordingLines(wordings).filter((text) => text !== first);
  return [own, ...others.map((text) => ({ ...own, ...word.write(own, text) }))];
}

/** Those of a comparison, each once: older ones may have sent a text twice. */
export function differentInputs(rows: Comparison['rows']): JsonObject[] {
  return [...new Map(rows.map(({ request }) => [JSON.stringify(request), request])).values()];
}

interface SentInput {
  own: JsonObject;
  wordings: string;
}

/** The reverse; null if no form makes these rows, such as those of a chain. */
export function readRows(
  rows: Comparison['rows'],
  input: Pick<ComparedInput, 'word'>,
): SentInput | null {
  const [own, ...others] = differentInputs(rows);
  if (own === undefined) return null;
  const wordings = others.map((request) => input.word?.read(request) ?? '').join('\n');
  return isSameJson(rowInputs(own, input, wordings), [own, ...others]) ? { own, wordings } : null;
}
