/**
 * Joins tool call fragments by ID, index and completeness, because gateways often omit an index or
 * ID.
 */
import { isJsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { readIndex, textOfValue, type Warn } from '../response/values.ts';
import type { ToolCallState } from './state.ts';

interface CallFragment {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** Returns the same array if nothing was added; a `whole` message has one item per call. */
export function addToolCalls(
  calls: ToolCallState[],
  value: JsonValue | undefined,
  whole: boolean,
  warn: Warn,
): ToolCallState[] {
  if (value === undefined || value === null) return calls;
  if (!Array.isArray(value)) warn('The tool calls aren’t a list.');
  const items = Array.isArray(value) ? value : [value];
  const added = [...calls];
  let isChanged = false;
  for (const item of items) {
    const fragment = readFragment(item, warn);
    if (fragment !== null && addFragment(added, fragment, whole, warn)) isChanged = true;
  }
  return isChanged ? added : calls;
}

function readFragment(item: JsonValue, warn: Warn): CallFragment | null {
  if (!isJsonObject(item)) {
    warn('A tool call isn’t a JSON object.');
    return null;
  }
  // Some gateways omit the `function` wrapper.
  const body = isJsonObject(item.function) ? item.function : item;
  return {
    index: readIndex(item.index),
    id: typeof item.id === 'string' ? item.id : '',
    name: typeof body.name === 'string' ? body.name : '',
    arguments: readArguments(body.arguments, warn),
  };
}

function readArguments(value: JsonValue | undefined, warn: Warn): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  warn('The arguments of a tool call aren’t text.');
  return textOfValue(value);
}

/** Mutates `calls`; returns false if nothing was added. */
function addFragment(
  calls: ToolCallState[],
  fragment: CallFragment,
  whole: boolean,
  warn: Warn,
): boolean {
  const at = whole ? -1 : getPosition(calls, fragment);
  const call = calls[at];
  if (call === undefined) {
    if (!whole && sharesIndex(calls, fragment)) {
      warn('Two tool calls have the same index. They are shown separately.');
    }
    calls.push(begun(fragment));
    return true;
  }
  const joined: ToolCallState = {
    id: call.id === '' ? fragment.id : call.id,
    name: joinName(call, fragment),
    arguments: call.arguments + fragment.arguments,
    index: call.index ?? fragment.index,
  };
  const same = joined.id === call.id && joined.name === call.name && fragment.arguments === '';
  if (!same) calls[at] = joined;
  return !same;
}

function begun({ id, name, arguments: text, index }: CallFragment): ToolCallState {
  return { id, name, arguments: text, index };
}

/** Returns the latest matching call; -1 if the fragment starts a new call. */
function getPosition(calls: ToolCallState[], fragment: CallFragment): number {
  const byIndex = fragment.id === '' && fragment.index !== null;
  const indexed = byIndex ? getLatest(calls, (call) => call.index === fragment.index) : -1;
  const at = indexed === -1 ? getLatest(calls, (call) => fits(call, fragment)) : indexed;
  const call = calls[at];
  if (call === undefined || fragment.id !== '') return at;
  return beginsAnother(call, fragment) ? -1 : at;
}

/** Limits the search, because a response may list a hundred thousand calls. */
const MAX_OPEN = 256;

/** Returns -1 if none of the latest calls match. */
function getLatest(calls: ToolCallState[], isMeant: (call: ToolCallState) => boolean): number {
  const begin = Math.max(0, calls.length - MAX_OPEN);
  for (let at = calls.length - 1; at >= begin; at -= 1) {
    const call = calls[at];
    if (call !== undefined && isMeant(call)) return at;
  }
  return -1;
}

function fits(call: ToolCallState, fragment: CallFragment): boolean {
  const index = call.index ?? null;
  if (index !== null && fragment.index !== null && index !== fragment.index) return false;
  return fragment.id === '' || call.id === '' || call.id === fragment.id;
}

/** Without an ID, a name starts a new call unless the name is repeated or streamed in fragments. */
function beginsAnother(call: ToolCallState, fragment: CallFragment): boolean {
  if (fragment.name === '' || call.name === '' || call.arguments === '') return false;
  return fragment.name !== call.name || parseJson(call.arguments) !== undefined;
}

function joinName(call: ToolCallState, fragment: CallFragment): string {
  if (fragment.name === '' || fragment.name === call.name) return call.name;
  return call.arguments === '' ? call.name + fragment.name : call.name;
}

function sharesIndex(calls: ToolCallState[], { index }: CallFragment): boolean {
  return index !== null && getLatest(calls, (call) => call.index === index) !== -1;
}
