/** Joins and reads a choice's log probabilities in all formats that gateways use. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { readNumber } from './values.ts';

export interface TokenChance {
  text: string;
  /** From 0 to 1; null if unknown, as for a prompt's first token. */
  probability: number | null;
}

export interface TokenProbability extends TokenChance {
  /** Most likely first; may include the chosen token. */
  alternatives: TokenChance[];
}

/** Log probabilities in pieces, because appending to a single list would copy it for each chunk. */
export type LogprobPieces = JsonValue[];

/** Limits each list, because longer lists take longer to copy. */
const MAX_PIECE = 128;

/** Returns the same pieces if the value adds nothing. */
export function addLogprobs(
  pieces: LogprobPieces | undefined,
  value: JsonValue | undefined,
): LogprobPieces | undefined {
  if (value === undefined || value === null) return pieces;
  const last = pieces?.at(-1);
  if (pieces === undefined || last === undefined) return [value];
  const joined = appendLists(last, value);
  if (joined === last) return pieces;
  return isFull(last) ? [...pieces, value] : [...pieces.slice(0, -1), joined];
}

function isFull(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length >= MAX_PIECE;
  return isJsonObject(value) && Object.values(value).some(isFull);
}

/** Appends every item, because equal tokens may have the same ID. */
function appendLists(old: JsonValue | undefined, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    if (!Array.isArray(old)) return value;
    return value.length === 0 ? old : [...old, ...value];
  }
  if (!isJsonObject(value) || !isJsonObject(old)) return value;
  let joined = old;
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue;
    const known = Object.hasOwn(old, name) ? old[name] : undefined;
    const next = appendLists(known, item);
    if (next !== known) joined = { ...joined, [name]: next };
  }
  return joined;
}

function joinLogprobs(pieces: LogprobPieces): JsonValue {
  return pieces.reduce((joined: JsonValue, piece) => appendLists(joined, piece), null);
}

/** Returns the field `logprobs`, unless the tokens already show it. */
export function getOtherLogprobs(pieces: LogprobPieces = []): JsonObject {
  const [first] = pieces;
  if (first === undefined || isShownAsTokens(first)) return {};
  return { logprobs: joinLogprobs(pieces) };
}

/** Returns an empty list if the format is unknown. */
export function readTokens(pieces: LogprobPieces = []): TokenProbability[] {
  const decode = createDecoder();
  return readItems(joinLogprobs(pieces)).map((item) => ({ ...item, text: decode(item) }));
}

/** Whether the tokens show the value; checks only the first token, because lists can be long. */
function isShownAsTokens(logprobs: JsonValue): boolean {
  if (!isJsonObject(logprobs))
    return isEmpty(logprobs) || readItems(keepFirst(logprobs)).length > 0;
  const fields = Object.entries(logprobs);
  if (fields.every(([, value]) => isEmpty(value))) return true;
  const first = fields.map(([name, value]) => [name, keepFirst(value)] as const);
  return readItems(Object.fromEntries(first)).length > 0;
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function keepFirst(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.slice(0, 1) : value;
}

interface ReadToken extends TokenProbability {
  bytes: number[] | null;
}

function readItems(logprobs: JsonValue): ReadToken[] {
  if (Array.isArray(logprobs)) return logprobs.flatMap(readItem);
  if (!isJsonObject(logprobs)) return [];
  const { content, refusal, tokens } = logprobs;
  // Used by chat, and by completions on newer servers.
  if (Array.isArray(content) || Array.isArray(refusal)) {
    return [content, refusal].flatMap((list) =>
      Array.isArray(list) ? list.flatMap(readItem) : [],
    );
  }
  return Array.isArray(tokens) ? readColumns(tokens, logprobs) : [];
}

/** Completions use parallel lists of tokens, log probabilities and alternatives. */
function readColumns(
  tokens: JsonValue[],
  { token_logprobs: values, top_logprobs: alternatives }: JsonObject,
): ReadToken[] {
  return tokens.flatMap((text, at) =>
    typeof text !== 'string'
      ? []
      : {
          text,
          probability: toProbability(Array.isArray(values) ? values[at] : undefined),
          alternatives: readAlternatives(
            Array.isArray(alternatives) ? alternatives[at] : undefined,
          ),
          bytes: null,
        },
  );
}

function readItem(item: JsonValue): ReadToken[] {
  const chance = readChance(item);
  if (chance === null || !isJsonObject(item)) return [];
  const alternatives = readAlternatives(item.top_logprobs ?? item.top_probs);
  return [{ ...chance, alternatives, bytes: readBytes(item.bytes) }];
}

function readChance(item: JsonValue): TokenChance | null {
  if (!isJsonObject(item)) return null;
  const { token, text, logprob, prob } = item;
  const shown = token ?? text;
  if (typeof shown !== 'string') return null;
  const probability = logprob === undefined ? readNumber(prob) : toProbability(logprob);
  return { text: shown, probability };
}

/** Accepts a list of tokens or an object that maps tokens to log probabilities. */
function readAlternatives(value: JsonValue | undefined): TokenChance[] {
  const chances = Array.isArray(value)
    ? value.flatMap((item) => readChance(item) ?? [])
    : isJsonObject(value)
      ? Object.entries(value).map(([text, logprob]) => ({
          text,
          probability: toProbability(logprob),
        }))
      : [];
  return chances.sort((one, other) => (other.probability ?? 0) - (one.probability ?? 0));
}

function toProbability(logprob: JsonValue | undefined): number | null {
  const number = readNumber(logprob);
  return number === null ? null : Math.min(1, Math.exp(number));
}

function readBytes(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const bytes = value.flatMap((item) => readNumber(item) ?? []);
  return bytes.length === value.length ? bytes : null;
}

/** A character has at most four bytes and thus spans at most four tokens. */
const MAX_PARTS = 4;

/** Assigns a character that spans several tokens to the last one. */
function createDecoder(): (token: ReadToken) => string {
  let parts: { text: string; bytes: number[] }[] = [];
  return ({ text, bytes }) => {
    // Complete tokens need no decoding, and some servers send the bytes of escaped text.
    if (bytes === null || (parts.length === 0 && !/\uFFFD|\\x/.test(text))) return text;
    parts.push({ text, bytes });
    const decoded = decodeUtf8(parts.flatMap((part) => part.bytes));
    if (decoded === null && parts.length < MAX_PARTS) return '';
    const shown = decoded ?? parts.map((part) => part.text).join('');
    parts = [];
    return shown;
  };
}

/** Returns null if the bytes don't form complete characters. */
function decodeUtf8(bytes: readonly number[]): string | null {
  const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}
