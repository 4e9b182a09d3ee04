/**
 * Joins the fragments of tool calls and keeps all their fields; gateways often omit an index or ID.
 */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { readIndex, textOfValue, type Warn } from '../response/values.ts';
import { type Merge, mergeObject } from './merge-delta.ts';

type ToolCallBody = { name: string; arguments: string };

/** Returns the same array if nothing was added. */
export function mergeToolCalls(calls: JsonValue[], value: JsonValue, merge: Merge): JsonValue[] {
  if (!Array.isArray(value)) merge.warn('The tool calls aren’t a list.');
  const merged = [...calls];
  let isChanged = false;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(item)) merge.warn('A tool call isn’t a JSON object.');
    else if (mergeFragment(merged, item, merge)) isChanged = true;
  }
  return isChanged ? merged : calls;
}

/** Joins `function_call`, which newer gateways replaced with `tool_calls`. */
export function mergeFunctionCall(
  before: JsonValue | undefined,
  fragment: JsonObject,
  merge: Merge,
): JsonObject {
  return mergeBody(isJsonObject(before) ? before : {}, fragment, 'arguments', merge);
}

/** Mutates `calls`; returns false if nothing was added. */
function mergeFragment(calls: JsonValue[], item: JsonObject, merge: Merge): boolean {
  const fragment = wrapBody(item);
  const at = getPosition(calls, fragment);
  const call = calls[at];
  if (!isJsonObject(call)) {
    if (sharesIndex(calls, fragment)) {
      merge.warn('Two tool calls have the same index. They are shown separately.');
    }
    calls.push(mergeCall({}, fragment, merge));
    return true;
  }
  const merged = mergeCall(call, fragment, merge);
  calls[at] = merged;
  return merged !== call;
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
  if (getId(call) === '' && getId(fragment) !== '' && id !== undefined) merged = { ...merged, id };
  if (readIndex(call.index) === null && index !== undefined && readIndex(index) !== null) {
    merged = { ...merged, index };
  }
  const body = name === null ? null : fragment[name];
  if (name === null || !isJsonObject(body)) return merged;
  const old = merged[name];
  const text = name === 'custom' ? 'input' : 'arguments';
  const joined = mergeBody(isJsonObject(old) ? old : {}, body, text, merge);
  return joined === old ? merged : { ...merged, [name]: joined };
}

function mergeBody(
  before: JsonObject,
  fragment: JsonObject,
  textName: 'arguments' | 'input',
  merge: Merge,
): JsonObject {
  const { name, [textName]: text, ...rest } = fragment;
  const { name: oldName, [textName]: oldText } = before;
  const old = { name: readText(oldName), arguments: readText(oldText) };
  const newName = joinName(old, readText(name));
  const piece = readArguments(text, merge.warn);
  const joined = textName === 'input' ? old.arguments + piece : joinArguments(old.arguments, piece);
  merge.output += joined === old.arguments ? 0 : piece.length;
  merge.output += newName.length - old.name.length;
  const merged = mergeObject(before, rest, merge);
  if (newName === oldName && joined === oldText) return merged;
  return { ...merged, name: newName, [textName]: joined };
}

/** Joins the arguments by the rules for gateways that don't send plain fragments. */
function joinArguments(before: string, piece: string): string {
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

/** Shorter beginnings may repeat inside nested objects. */
const MIN_CUMULATIVE = 8;

const argumentRules: readonly ArgumentRule[] = [
  {
    // A placeholder comes before the first fragment.
    source: 'https://github.com/vllm-project/vllm/issues/51697',
    matches: (before, piece) => piece !== '' && /^\s*(?:\{\s*\}|null)\s*$/.test(before),
    join: 'replace',
  },
  {
    // The last chunk repeats the complete arguments.
    source: 'https://github.com/lidge-jun/opencodex/issues/361',
    matches(before, piece) {
      const whole = readObject(piece);
      return whole !== null && isSameJson(readObject(before), whole);
    },
    join: 'keep',
  },
  {
    // The last chunk has the complete arguments, although the fragments so far have only a part.
    source: 'https://github.com/lidge-jun/opencodex/issues/361',
    matches: (before, piece) =>
      before.length > 1 && piece.startsWith(before) && readObject(piece) !== null,
    join: 'replace',
  },
  {
    // Each chunk repeats the arguments so far.
    source: 'https://github.com/QwenLM/qwen-code/pull/3896',
    matches: (before, piece) =>
      before.length >= MIN_CUMULATIVE && piece.length > before.length && piece.startsWith(before),
    join: 'replace',
  },
];

function readObject(text: string): JsonObject | null {
  const start = text.trimStart();
  if (!start.startsWith('{') || !text.trimEnd().endsWith('}')) return null;
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}

function readText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function readArguments(value: JsonValue | undefined, warn: Warn): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  warn('The arguments of a tool call aren’t text.');
  return textOfValue(value);
}

/** Returns an integer ID as text. */
export function getId({ id }: JsonObject): string {
  return id === undefined || id === null ? '' : textOfValue(id);
}

export function readCallBody(call: JsonObject, warn: Warn): ToolCallBody {
  const name = getBodyName(call);
  const body = name === null ? call : call[name];
  if (!isJsonObject(body)) return { name: '', arguments: '' };
  const text = name === 'custom' ? body.input : body.arguments;
  return { name: readText(body.name), arguments: readArguments(text, warn) };
}

/** Returns the latest matching call; -1 if the fragment starts a new call. */
function getPosition(calls: readonly JsonValue[], fragment: JsonObject): number {
  const index = readIndex(fragment.index);
  const id = getId(fragment);
  const { name } = readCallBody(fragment, () => {});
  const indexed =
    id === '' && index !== null ? getLatest(calls, (call) => readIndex(call.index) === index) : -1;
  const at = indexed === -1 ? getLatest(calls, (call) => fits(call, index, id)) : indexed;
  const call = calls[at];
  if (!isJsonObject(call)) return id === '' && name === '' ? getUnfinished(calls) : -1;
  if (id !== '') return at;
  return beginsAnother(
    readCallBody(call, () => {}),
    name,
  )
    ? -1
    : at;
}

/**
 * A gateway may split one call over two indices: https://github.com/vllm-project/vllm/issues/51697
 */
function getUnfinished(calls: readonly JsonValue[]): number {
  const last = calls.at(-1);
  if (!isJsonObject(last)) return -1;
  return readObject(readCallBody(last, () => {}).arguments) === null ? calls.length - 1 : -1;
}

/** Limits the search, because a response may list a hundred thousand calls. */
const MAX_OPEN = 256;

/** Returns -1 if none of the latest calls match. */
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

/** Without an ID, a name starts a new call unless the name is repeated or streamed in fragments. */
function beginsAnother(call: ToolCallBody, name: string): boolean {
  if (name === '' || call.name === '' || call.arguments === '') return false;
  return name !== call.name || parseJson(call.arguments) !== undefined;
}

function joinName(call: ToolCallBody, name: string): string {
  if (name === '' || name === call.name) return call.name;
  return call.arguments === '' ? call.name + name : call.name;
}

function sharesIndex(calls: readonly JsonValue[], fragment: JsonObject): boolean {
  const index = readIndex(fragment.index);
  return index !== null && getLatest(calls, (call) => readIndex(call.index) === index) !== -1;
}
