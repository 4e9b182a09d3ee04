/** Answers that are JSON, with or without a schema in the request. */
import type { JsonValue } from '../../../shared/json.ts';

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
  if (!/^(\{[\s\S]*\}|\[[\s\S]*\])$/.test(source)) return null;
  try {
    const value: JsonValue = JSON.parse(source);
    return { value, source };
  } catch {
    return null;
  }
}

/** Whether an answer that still arrives is going to be JSON rather than Markdown. */
export function beginsAsJson(text: string): boolean {
  return /^\s*(\{\s*("|\}|$)|\[\s*([[{"]|$))/.test(text);
}
