/** Joins streamed deltas into the message of a non-streamed response, keeping unknown fields. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import {
  type FoldBatch,
  MAX_ITEMS,
  MAX_UNIQUE_ITEMS,
  TOO_MUCH_WARNING,
} from '../response/fold-batch.ts';
import { readIndex, type Warn } from '../response/values.ts';

/** Text that may be cumulative, because each piece so far starts with the previous piece. */
export type GrowingText = {
  pieces: number;
  /** Null once a piece didn't start with the previous piece. */
  text: string | null;
};

/** Keyed by field path, such as `content`. */
export type GrowingTexts = { [path: string]: GrowingText };

export interface Merge {
  readonly warn: Warn;
  /** Joined text of several chunks never repeats earlier text; a whole `message` may. */
  readonly mode: 'delta' | 'joined' | 'whole';
  growing: GrowingTexts;
  /** The number of output characters that the merge added, less those that it removed. */
  output: number;
  readonly batch: FoldBatch;
}

type FieldRule = 'append' | 'replace' | 'first' | 'once' | 'unique';

/**
 * Defines how a value joins the previous value: `append` streams text, `replace` takes the latest,
 * `first` keeps the first, `unique` skips identical list items, `once` skips identical texts.
 */
const fieldRules: ReadonlyMap<string, { rule: FieldRule; source: string }> = new Map([
  ...list('append', 'https://platform.openai.com/docs/api-reference/chat-streaming', [
    ...['content', 'text', 'refusal', 'transcript', 'summary', 'input', 'arguments'],
    ...['reasoning', 'reasoning_content', 'reasoning_text', 'thinking'],
  ]),
  ...list('replace', 'https://platform.openai.com/docs/api-reference/chat-streaming', [
    ...['role', 'type', 'id', 'object', 'model', 'mime_type', 'media_type', 'detail', 'status'],
  ]),
  ...list('first', 'https://platform.openai.com/docs/api-reference/chat-streaming', ['name']),
  // OpenRouter repeats the format of a reasoning detail in every chunk.
  ...list('replace', 'https://github.com/earendil-works/pi/issues/989', ['format']),
  // A preview and the final image arrive under the same index.
  ...list('replace', 'https://openrouter.ai/docs/features/multimodal/image-generation', ['url']),
  // Some gateways repeat the citations so far in every chunk.
  ...list('unique', 'https://github.com/danny-avila/LibreChat/issues/13759', [
    ...['annotations', 'citations', 'search_results'],
  ]),
]);

function list(rule: FieldRule, source: string, names: string[]) {
  return names.map((name) => [name, { rule, source }] as const);
}

const wholes = new WeakSet<JsonObject>();

/** Marks an object of a delta whose fields replace earlier ones, such as a snapshot of a call. */
export function markWhole(object: JsonObject): JsonObject {
  wholes.add(object);
  return object;
}

export function isMarkedWhole(object: JsonObject): boolean {
  return wholes.has(object);
}

/** Fields that describe the output, so they don't count as output. */
const LABELS = new Set(['role', 'type', 'id', 'format', 'object', 'model', 'index']);

/**
 * Returns the same object if the delta added nothing, or if the batch has already copied the
 * object; null and empty values change nothing.
 */
export function mergeObject(
  before: JsonObject,
  delta: JsonObject,
  merge: Merge,
  path = '',
  skipped: ReadonlySet<string> | null = null,
): JsonObject {
  let after = before;
  const isWhole = isMarkedWhole(delta);
  for (const name of Object.keys(delta)) {
    const value = delta[name];
    if (value === undefined || value === null || skipped?.has(name)) continue;
    const isKnown = Object.hasOwn(after, name);
    if (!isKnown && !merge.batch.hasRoom(after)) {
      merge.warn(TOO_MUCH_WARNING);
      continue;
    }
    const old = isKnown ? after[name] : undefined;
    const inner = path === '' ? name : `${path}.${name}`;
    const next = isWhole
      ? replaceValue(old, value, name, merge)
      : mergeValue(old, value, name, merge, inner);
    if (next !== old && next !== undefined) after = merge.batch.set(after, name, next);
  }
  return after;
}

function mergeValue(
  old: JsonValue | undefined,
  value: JsonValue,
  name: string,
  merge: Merge,
  path: string,
): JsonValue | undefined {
  if (value === null) return old;
  if (typeof value === 'string') {
    if (Array.isArray(old)) return mergeItems(old, toTextParts(value), name, merge, path);
    if (typeof old === 'string') return mergeText(old, value, name, merge, path);
    removeOutput(old, name, merge);
    return mergeText('', value, name, merge, path);
  }
  if (Array.isArray(value)) {
    if (Array.isArray(old)) return mergeItems(old, value, name, merge, path);
    const items = typeof old === 'string' ? toTextParts(old) : [];
    const merged = mergeItems(items, value, name, merge, path);
    if (merged.length === 0 && typeof old === 'string') return old;
    if (typeof old !== 'string') removeOutput(old, name, merge);
    return merged;
  }
  if (isJsonObject(value)) {
    if (isJsonObject(old)) return mergeObject(old, value, merge, path);
    removeOutput(old, name, merge);
    return mergeObject({}, value, merge, path);
  }
  if (isSameJson(old, value)) return old;
  removeOutput(old, name, merge);
  return value;
}

function replaceValue(
  old: JsonValue | undefined,
  value: JsonValue,
  name: string,
  merge: Merge,
): JsonValue {
  if (old !== undefined && isSameJson(old, value)) return old;
  removeOutput(old, name, merge);
  merge.output += countOutput(value, name);
  return value;
}

/** Some gateways change the type of a field, which replaces its earlier value. */
function removeOutput(old: JsonValue | undefined, name: string, merge: Merge): void {
  merge.output -= countOutput(old, name);
}

function toTextParts(text: string): JsonValue[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function mergeText(
  before: string,
  piece: string,
  name: string,
  merge: Merge,
  path: string,
): string {
  if (piece === '') return before;
  const isReference = piece.startsWith('media:') && findReferencedMedia(piece) !== null;
  const rule = isReference ? 'replace' : getRule(name);
  if (rule !== 'append' && piece === before) return before;
  if (rule === 'first' && before !== '') return before;
  // Cumulative text has only been seen in fields of the message itself.
  const mayRepeat = rule === 'append' && merge.mode !== 'joined' && !path.includes('.');
  const added = mayRepeat ? joinText(before, piece, merge, path) : before + piece;
  const after = rule === 'replace' ? piece : added;
  if (!LABELS.has(name)) merge.output += after.length - before.length;
  return after;
}

function getRule(name: string): FieldRule {
  return fieldRules.get(name)?.rule ?? 'once';
}

/** Shorter texts may repeat by chance. */
const MIN_REPEATED = 16;
/** After two repetitions, this length is enough. */
const MIN_REPEATED_TWICE = 5;
/** Indentation, horizontal rules and numbers repeat in normal text. */
const HAS_WORDS = /\p{L}\s|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}/u;

/**
 * Appends a piece, or replaces the text if each piece repeats the text so far
 * (https://github.com/QwenLM/qwen-code/pull/3896).
 */
function joinText(before: string, piece: string, merge: Merge, path: string): string {
  const known = merge.growing[path];
  if (merge.mode === 'whole' && piece.startsWith(before)) return piece;
  if (before === '' || known === undefined) {
    setGrowing(merge, path, { pieces: 1, text: before === '' ? piece : null });
    return before + piece;
  }
  if (known.text === null) return repeatsAll(before, piece) ? piece : before + piece;
  const isConfirmed = known.text === before && known.pieces > 1;
  if (isConfirmed && piece === before) return before;
  if (piece.length > known.text.length && piece.startsWith(known.text)) {
    const pieces = known.pieces + 1;
    setGrowing(merge, path, { pieces, text: piece });
    const needed = pieces > 2 ? MIN_REPEATED_TWICE : MIN_REPEATED;
    const isCumulative = isConfirmed || (known.text.length >= needed && HAS_WORDS.test(known.text));
    if (!isCumulative) return before + piece;
    if (!isConfirmed) merge.warn(CUMULATIVE);
    return piece;
  }
  setGrowing(merge, path, { pieces: known.pieces + 1, text: null });
  return before + piece;
}

const CUMULATIVE = 'Each chunk repeats the text so far. The text is shown once.';

/** Some gateways repeat the whole text in the last chunk. */
function repeatsAll(before: string, piece: string): boolean {
  return before.length >= MIN_REPEATED && piece.startsWith(before) && HAS_WORDS.test(before);
}

function setGrowing(merge: Merge, path: string, text: GrowingText): void {
  merge.growing = { ...merge.growing, [path]: text };
}

/** Returns the minimum length of a piece that may repeat the text; 0 if any piece may. */
export function repeatLength(growing: GrowingTexts, path: string, text: string): number {
  const known = growing[path];
  return known === undefined || known.text !== null ? 0 : Math.max(MIN_REPEATED, text.length);
}

/** Joins items with the same index or ID, or appends to the text that an item continues. */
function mergeItems(
  before: JsonValue[],
  items: readonly JsonValue[],
  name: string,
  merge: Merge,
  path: string,
): JsonValue[] {
  const { batch } = merge;
  const isUnique = getRule(name) === 'unique';
  const limit = isUnique ? MAX_UNIQUE_ITEMS : MAX_ITEMS;
  let after = before;
  for (const item of items) {
    const at = isJsonObject(item) && !isUnique ? findItem(after, item) : -1;
    const old = after[at];
    if (isJsonObject(item) && isJsonObject(old)) {
      const merged = mergeObject(old, item, merge, `${path}.${at}`);
      if (merged === old) continue;
      after = batch.editList(after);
      after[at] = merged;
      continue;
    }
    if (after.length >= limit) {
      merge.warn(TOO_MUCH_WARNING);
      continue;
    }
    const { length } = after;
    const added = isJsonObject(item) ? withoutNulls(item) : item;
    after = isUnique ? batch.addUnique(after, added) : batch.editList(after);
    if (!isUnique) after.push(added);
    if (after.length > length) merge.output += countOutput(item, name) + 1;
  }
  return after;
}

/** Null means that the field hasn't been sent yet. */
function withoutNulls(item: JsonObject): JsonObject {
  const entries = Object.entries(item);
  const known = entries.filter(([, value]) => value !== null);
  return known.length === entries.length ? item : Object.fromEntries(known);
}

/** Limits the search, because a response may contain a hundred thousand items. */
const MAX_OPEN = 256;

function findItem(items: readonly JsonValue[], item: JsonObject): number {
  const index = readIndex(item.index);
  const id = item.id ?? null;
  if (index === null && id === null)
    return continuesLast(items.at(-1), item) ? items.length - 1 : -1;
  const begin = Math.max(0, items.length - MAX_OPEN);
  for (let at = items.length - 1; at >= begin; at -= 1) {
    const known = items[at];
    if (!isJsonObject(known) || !isSameType(known, item) || isOtherSecret(known, item)) continue;
    if (index !== null && readIndex(known.index) === index && fits(known.id, id)) return at;
    if (index === null && id === known.id) return at;
  }
  return -1;
}

function fits(known: JsonValue | undefined, id: JsonValue): boolean {
  return known === undefined || known === null || id === null || known === id;
}

function isSameType(known: JsonObject, item: JsonObject): boolean {
  return item.type === undefined || item.type === null || known.type === item.type;
}

/**
 * Encrypted reasoning and signatures don't stream in pieces, so a different value is a new item.
 */
function isOtherSecret(known: JsonObject, item: JsonObject): boolean {
  return ['data', 'signature'].some(
    (name) => known[name] && item[name] && known[name] !== item[name],
  );
}

/** Matches content parts and reasoning that stream as text, but not images or redacted parts. */
const STREAMED_TYPE = /^(?:text|output_text|thinking|reasoning|reasoning\.(?:text|summary))$/;

function continuesLast(last: JsonValue | undefined, item: JsonObject): boolean {
  if (!isJsonObject(last) || typeof item.type !== 'string' || last.type !== item.type) return false;
  // A signed thought is already complete.
  return STREAMED_TYPE.test(item.type) && last.closed !== true && !last.signature;
}

/** Compares only changed fields, because most chunks change a single text. */
export function addsOutput(before: JsonObject, after: JsonObject): boolean {
  return Object.entries(after).some(([name, value]) => {
    const old = before[name];
    return value !== old && countOutput(value, name) > countOutput(old, name);
  });
}

/** Counts the characters of all texts other than labels. */
export function countOutput(value: JsonValue | undefined, name = ''): number {
  if (typeof value === 'string') return LABELS.has(name) ? 0 : value.length;
  if (Array.isArray(value)) {
    let output = value.length;
    for (const item of value) output += countOutput(item, name);
    return output;
  }
  if (!isJsonObject(value)) return 0;
  let output = 0;
  for (const [field, item] of Object.entries(value)) output += countOutput(item, field);
  return output;
}
