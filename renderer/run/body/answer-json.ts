/** Answers that are JSON, with or without a schema in the request. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/parse-json.ts';

export interface JsonAnswer {
  value: JsonValue;
  /** The JSON alone, as the model wrote it. */
  source: string;
}

/** A megabyte is laid out in a moment; what is longer stays text. */
const longest = 1_000_000;
const fence = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/i;

/** An object or a list, alone or in a code fence that is all of the answer; null for anything else. */
export function readJsonAnswer(text: string): JsonAnswer | null {
  if (text.length > longest) return null;
  const trimmed = text.trim();
  const source = (fence.exec(trimmed)?.[1] ?? trimmed).trim();
  const value = readTree(source);
  return value === null ? null : { value, source };
}

/** An object or a list; null for anything else, and for what is too long to lay out. */
export function readTree(text: string): JsonObject | JsonValue[] | null {
  if (text.length > longest || !/^\s*[{[]/.test(text)) return null;
  const value = parseJson(text);
  return isJsonObject(value) || Array.isArray(value) ? value : null;
}

/** Whether an answer that still arrives is going to be JSON rather than Markdown. */
export function beginsAsJson(text: string): boolean {
  return /^\s*(\{\s*("|\}|$)|\[\s*([[{"]|$))/.test(text);
}
