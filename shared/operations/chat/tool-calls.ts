/** Joins tool call fragments and keeps all their fields, even if they have no index or ID. */
import {
  getString,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { MAX_ITEMS, TOO_MUCH_WARNING } from '../response/fold-batch.ts';
import { readIndex, toDisplayText, type Warn } from '../response/values.ts';
import { isMarkedWhole, type Merge, mergeObject } from './merge-delta.ts';

type ToolCallBody = { name: string; arguments: string };

/** Returns the same list if nothing was added, or if the batch has already copied the list. */
export function mergeToolCalls(calls: JsonValue[], value: JsonValue, merge: Merge): JsonValue[] {
  if (!Array.isArray(value)) merge.warn('The tool calls aren’t a list.');
  const inList = new Set<number>();
  let merged = calls;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(item)) merge.warn('A tool call isn’t a JSON object.');
    else merged = mergeFragment(merged, item, inList, merge);
  }
  return merged;
}

/** Joins fragments of `function_call`, the older form of `tool_calls`. */
export function mergeFunctionCall(
  before: JsonValue | undefined,
  fragment: JsonObject,
  merge: Merge,
): JsonObject {
  return mergeBody(isJsonObject(before) ? before : {}, fragment, 'arguments', merge);
}

/** Mutates `inList`, this list's positions; returns the same list if nothing was added. */
function mergeFragment(
  calls: JsonValue[],
  item: JsonObject,
  inList: Set<number>,
  merge: Merge,
): JsonValue[] {
  const fragment = wrapBody(item);
  const found = getPosition(calls, fragment);
  // Two named items of one list are separate calls, unless they share an index or ID.
  const isSecond = inList.has(found) && isUnmarked(fragment) && getName(fragment) !== '';
  const at = isSecond ? -1 : found;
  inList.add(at === -1 ? calls.length : at);
  const call = calls[at];
  if (!isJsonObject(call)) {
    if (calls.length >= MAX_ITEMS) {
      merge.warn(TOO_MUCH_WARNING);
      return calls;
    }
    if (sharesIndex(calls, fragment)) {
      merge.warn('Two tool calls have the same index. They are shown separately.');
    }
    const longer = merge.batch.editList(calls);
    longer.push(mergeCall({}, fragment, merge));
    merge.output += 1;
    return longer;
  }
  const merged = mergeCall(call, fragment, merge);
  if (merged === call) return calls;
  const changed = merge.batch.editList(calls);
  changed[at] = merged;
  return changed;
}

/** Some gateways omit the `function` wrapper. */
function wrapBody(item: JsonObject): JsonObject {
  if (getBodyName(item) !== null) return item;
  const { name, arguments: text, ...rest } = item;
  if (name === undefined && text === undefined) return item;
  return {
    ...rest,
    function: {
      ...(name !== undefined && { name }),
      ...(text !== undefined && { arguments: text }),
    },
  };
}

function getBodyName(call: JsonObject): 'function' | 'custom' | null {
  if (isJsonObject(call.function)) return 'function';
  return isJsonObject(call.custom) ? 'custom' : null;
}

function mergeCall(call: JsonObject, fragment: JsonObject, merge: Merge): JsonObject {
  const name = getBodyName(fragment);
  const { index, id, ...rest } = fragment;
  if (name !== null) delete rest[name];
  let merged = mergeObject(call, rest, merge);
  if (getId(merged) === '' && getId(fragment) !== '' && id !== undefined) {
    merged = merge.batch.set(merged, 'id', id);
  }
  if (readIndex(merged.index) === null && index !== undefined && readIndex(index) !== null) {
    merged = merge.batch.set(merged, 'index', index);
  }
  const body = name === null ? null : fragment[name];
  if (name === null || !isJsonObject(body)) return merged;
  const old = merged[name];
  const text = name === 'custom' ? 'input' : 'arguments';
  const joined = mergeBody(isJsonObject(old) ? old : {}, body, text, merge);
  return joined === old ? merged : merge.batch.set(merged, name, joined);
}

function mergeBody(
  before: JsonObject,
  fragment: JsonObject,
  textName: 'arguments' | 'input',
  merge: Merge,
): JsonObject {
  const { name, [textName]: text, ...rest } = fragment;
  const { name: oldName, [textName]: oldText } = before;
  const old = { name: getString(oldName), arguments: getString(oldText) };
  const newName = joinName(old, getString(name));
  const piece = readArguments(text, merge.warn);
  const isWhole = isMarkedWhole(fragment) && piece !== '';
  const appended =
    textName === 'input' ? old.arguments + piece : joinArguments(old.arguments, piece);
  const joined = isWhole ? piece : appended;
  merge.output += joined.length - old.arguments.length;
  merge.output += newName.length - old.name.length;
  const merged = mergeObject(before, rest, merge);
  if (newName === oldName && joined === oldText) return merged;
  const named = merge.batch.set(merged, 'name', newName);
  return merge.batch.set(named, textName, joined);
}

/** Joins arguments from gateways that don't send plain fragments. */
function joinArguments(before: string, piece: string): string {
  if (before === '' || piece === '') return before + piece;
  for (const { matches, join } of argumentRules) {
    if (matches(before, piece)) return join === 'keep' ? before : piece;
  }
  return before + piece;
}

interface ArgumentRule {
  source: string;
  matches(before: string, piece: string): boolean;
  join: 'keep' | 'replace';
}

/** Shorter prefixes may repeat inside nested objects. */
const MIN_CUMULATIVE = 8;
const MAX_PLACEHOLDER = 16;

const argumentRules: readonly ArgumentRule[] = [
  {
    // Some gateways send a placeholder before the first fragment.
    source: 'https://github.com/vllm-project/vllm/issues/51697',
    matches: isPlaceholder,
    join: 'replace',
  },
  {
    // The last chunk may repeat the complete arguments.
    source: 'https://github.com/lidge-jun/opencodex/issues/361',
    matches: isSameObject,
    join: 'keep',
  },
  {
    // The last chunk may contain the complete arguments although earlier fragments were partial.
    source: 'https://github.com/lidge-jun/opencodex/issues/361',
    matches: (before, piece) =>
      before.length > 1 && extendsText(before, piece) && readObject(piece) !== null,
    join: 'replace',
  },
  {
    // Each chunk may repeat the arguments so far; no object can start inside its own first name.
    source: 'https://github.com/QwenLM/qwen-code/pull/3896',
    matches: (before, piece) =>
      extendsText(before, piece) &&
      (before.length >= MIN_CUMULATIVE || (before.startsWith('{') && !before.includes(':'))),
    join: 'replace',
  },
];

function isPlaceholder(text: string): boolean {
  return text.length < MAX_PLACEHOLDER && /^\s*(?:\{\s*\}|null)\s*$/.test(text);
}

function isSameObject(before: string, piece: string): boolean {
  const whole = readObject(piece);
  return whole !== null && isSameJson(readObject(before), whole);
}

/** After a colon, the same prefix may be a nested object. */
function extendsText(before: string, piece: string): boolean {
  return piece.length > before.length && piece.startsWith(before) && !/:\s*$/.test(before);
}

function readObject(text: string): JsonObject | null {
  const start = text.trimStart();
  if (!start.startsWith('{') || !text.trimEnd().endsWith('}')) return null;
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}

function readArguments(value: JsonValue | undefined, warn: Warn): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  warn('The arguments of a tool call aren’t text.');
  return toDisplayText(value);
}

/** Converts an integer ID to text. */
export function getId({ id }: JsonObject): string {
  return id === undefined || id === null ? '' : toDisplayText(id);
}

export function readCallBody(call: JsonObject, warn: Warn): ToolCallBody {
  const name = getBodyName(call);
  const body = name === null ? call : call[name];
  if (!isJsonObject(body)) return { name: '', arguments: '' };
  const text = name === 'custom' ? body.input : body.arguments;
  return { name: getString(body.name), arguments: readArguments(text, warn) };
}

function isUnmarked(fragment: JsonObject): boolean {
  return readIndex(fragment.index) === null && getId(fragment) === '';
}

function getName(call: JsonObject): string {
  return readCallBody(call, () => {}).name;
}

/** Returns the latest matching call; -1 if the fragment starts a new call. */
function getPosition(calls: readonly JsonValue[], fragment: JsonObject): number {
  const index = readIndex(fragment.index);
  const id = getId(fragment);
  const body = readCallBody(fragment, () => {});
  const byIndex = index === null ? -1 : getLatest(calls, (call) => readIndex(call.index) === index);
  const at =
    id === '' && byIndex !== -1 ? byIndex : getLatest(calls, (call) => fits(call, index, id));
  const call = calls[at];
  if (!isJsonObject(call)) {
    if (body.name !== '') return -1;
    // Some gateways send a new ID with every fragment of the same index.
    return id === '' ? getUnfinished(calls) : isUnfinished(calls[byIndex]) ? byIndex : -1;
  }
  const marks = { hasId: id !== '', isMarked: id !== '' || at === byIndex };
  return beginsAnother(
    readCallBody(call, () => {}),
    body,
    marks,
  )
    ? -1
    : at;
}

/**
 * Some gateways split a call across two indices: https://github.com/vllm-project/vllm/issues/51697
 */
function getUnfinished(calls: readonly JsonValue[]): number {
  return isUnfinished(calls.at(-1)) ? calls.length - 1 : -1;
}

function isUnfinished(call: JsonValue | undefined): boolean {
  return isJsonObject(call) && readObject(readCallBody(call, () => {}).arguments) === null;
}

/** Limits the search, because a response may contain a hundred thousand calls. */
const MAX_OPEN = 256;

/** Returns -1 if none of the latest calls matches. */
function getLatest(calls: readonly JsonValue[], isMeant: (call: JsonObject) => boolean): number {
  const begin = Math.max(0, calls.length - MAX_OPEN);
  for (let at = calls.length - 1; at >= begin; at -= 1) {
    const call = calls[at];
    if (isJsonObject(call) && isMeant(call)) return at;
  }
  return -1;
}

function fits(call: JsonObject, index: number | null, id: string): boolean {
  const known = readIndex(call.index);
  if (known !== null && index !== null && known !== index) return false;
  return id === '' || getId(call) === '' || getId(call) === id;
}

/**
 * Without an ID, a name starts a new call unless the name is repeated or streamed in fragments.
 * With an index or ID (`isMarked`), the same name needs other complete arguments.
 */
function beginsAnother(
  call: ToolCallBody,
  next: ToolCallBody,
  { hasId, isMarked }: { hasId: boolean; isMarked: boolean },
): boolean {
  if (next.name === '' || call.name === '' || call.arguments === '') return false;
  if (!hasId && next.name !== call.name) return true;
  const isComplete = !isPlaceholder(call.arguments) && parseJson(call.arguments) !== undefined;
  if (!isComplete || isSameObject(call.arguments, next.arguments)) return false;
  return isMarked ? readObject(next.arguments) !== null : true;
}

function joinName(call: ToolCallBody, name: string): string {
  if (name === '' || name === call.name) return call.name;
  return call.arguments === '' ? call.name + name : call.name;
}

function sharesIndex(calls: readonly JsonValue[], fragment: JsonObject): boolean {
  const index = readIndex(fragment.index);
  return index !== null && getLatest(calls, (call) => readIndex(call.index) === index) !== -1;
}
