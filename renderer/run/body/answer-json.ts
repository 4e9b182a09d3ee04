import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/parse-json.ts';

export interface JsonAnswer {
  value: JsonValue;
  source: string;
}

/** Rendering a longer text as a tree takes too long. */
const MAX_JSON_LENGTH = 1_000_000;
const fence = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/i;

/** Returns null unless the whole answer is an object or list, with or without a code fence. */
export function readJsonAnswer(text: string): JsonAnswer | null {
  if (text.length > MAX_JSON_LENGTH) return null;
  const trimmed = text.trim();
  const source = (fence.exec(trimmed)?.[1] ?? trimmed).trim();
  const value = readTree(source);
  return value === null ? null : { value, source };
}

/** Returns null if the text is too long, or isn't an object or list. */
export function readTree(text: string): JsonObject | JsonValue[] | null {
  if (text.length > MAX_JSON_LENGTH || !/^\s*[{[]/.test(text)) return null;
  const value = parseJson(text);
  return isJsonObject(value) || Array.isArray(value) ? value : null;
}

/** Guesses from a partial answer whether the complete answer will be JSON. */
export function beginsAsJson(text: string): boolean {
  return /^\s*(\{\s*("|\}|$)|\[\s*([[{"]|$))/.test(text);
}
