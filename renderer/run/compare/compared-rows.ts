/** The rows of a comparison, and what of a form makes them: pure. */
import type { Comparison } from '../../../shared/comparison.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import type { ComparedInput } from './compared-input.ts';
import { wordingLines } from './wordings.ts';

/** What each row sends: the panel's own fields, and below them those with the other wordings. */
export function rowInputs(
  own: JsonObject,
  { word }: Pick<ComparedInput, 'word'>,
  wordings: string,
): JsonObject[] {
  if (word?.several === undefined) return [own];
  const others = wordingLines(wordings).map((text) => ({ ...own, ...word.write(own, text) }));
  return [own, ...others];
}

interface SentInput {
  own: JsonObject;
  wordings: string;
}

/** The reverse; null where no form makes these rows, such as those of a chain. */
export function readRows(
  rows: Comparison['rows'],
  input: Pick<ComparedInput, 'word'>,
): SentInput | null {
  const [own, ...others] = rows.map(({ request }) => request);
  if (own === undefined) return null;
  const wordings = others.map((request) => input.word?.read(request) ?? '').join('\n');
  return isSameJson(rowInputs(own, input, wordings), [own, ...others]) ? { own, wordings } : null;
}
