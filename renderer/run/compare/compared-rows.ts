/** The rows of a comparison, and what of a form makes them: pure. */
import type { Comparison } from '../../../shared/comparison.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import type { ComparedInput } from './compared-input.ts';
import { promptLines } from './prompt-lines.ts';

/** What each row sends: the panel's own fields, and below them those with the other morePrompts, no two the same. */
export function rowInputs(
  own: JsonObject,
  { promptField }: Pick<ComparedInput, 'promptField'>,
  morePrompts: string,
): JsonObject[] {
  if (promptField?.several === undefined) return [own];
  const first = promptField.read(own)?.trim();
  const others = promptLines(morePrompts).filter((text) => text !== first);
  return [own, ...others.map((text) => ({ ...own, ...promptField.write(own, text) }))];
}

/** Those of a comparison, each once: older ones may have sent a text twice. */
export function differentInputs(rows: Comparison['rows']): JsonObject[] {
  return [...new Map(rows.map(({ request }) => [JSON.stringify(request), request])).values()];
}

interface SentInput {
  own: JsonObject;
  morePrompts: string;
}

/** The reverse; null if no form makes these rows, such as those of a chain. */
export function readRows(
  rows: Comparison['rows'],
  input: Pick<ComparedInput, 'promptField'>,
): SentInput | null {
  const [own, ...others] = differentInputs(rows);
  if (own === undefined) return null;
  const morePrompts = others.map((request) => input.promptField?.read(request) ?? '').join('\n');
  return isSameJson(rowInputs(own, input, morePrompts), [own, ...others])
    ? { own, morePrompts }
    : null;
}
