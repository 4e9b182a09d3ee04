/** Reads the arguments of a tool call, which some models write as null or as text in JSON. */
import { isJsonObject, type JsonObject } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';

/**
 * Returns null if the text isn't an object. Models send empty text or null for a tool without
 * parameters (https://github.com/AIDotNet/OpenDeepWiki/pull/392), and some gateways encode the
 * object twice (https://github.com/vllm-project/vllm/pull/54964).
 */
export function readArguments(text: string): JsonObject | null {
  if (isEmpty(text)) return {};
  const value = parseJson(text);
  if (typeof value !== 'string') return isJsonObject(value) ? value : null;
  if (isEmpty(value)) return {};
  const inner = parseJson(value);
  return isJsonObject(inner) ? inner : null;
}

function isEmpty(text: string): boolean {
  return /^\s*(?:null)?\s*$/.test(text);
}

/** Returns true if the text stands for an object but is empty, null or doubly encoded. */
export function areOddArguments(text: string): boolean {
  return text.trim() !== '' && !/^\s*\{/.test(text) && readArguments(text) !== null;
}

/** Returns a JSON object if the text means one, because gateways reject anything else. */
export function writeArguments(text: string): string {
  const isObject = text.trim() !== '' && !areOddArguments(text);
  return isObject ? text : JSON.stringify(readArguments(text));
}
