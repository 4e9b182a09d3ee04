import type { JsonObject } from '../../../shared/json.ts';

/** The interface's limit, in characters as main counts them: Unicode code points. */
export const longestText = 4096;

export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** What is wrong with the text, in the words of its field; null where nothing is. */
export function textProblem(text: string): string | null {
  const over = countCharacters(text) - longestText;
  if (over <= 0) return null;
  const characters = over === 1 ? '1 character' : `${over.toLocaleString('en')} characters`;
  return `Shorten the text by ${characters}: at most 4,096 are taken, and nothing is sent.`;
}

/** The text that a recorded request asked for. */
export function textOfRequest(request: JsonObject): string {
  return typeof request.input === 'string' ? request.input : '';
}
