import { isJsonNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import { pluralize } from '../../lib/format-quantity.ts';

export interface JsonPiece {
  kind: 'name' | 'string' | 'number' | 'literal' | 'mark' | 'note';
  text: string;
}

export interface JsonRow {
  /** The child positions from the root, such as `/2/0`; empty for the root. */
  key: string;
  depth: number;
  pieces: JsonPiece[];
  /** Null if the row can't be expanded. */
  isOpen: boolean | null;
  /** A closing bracket, a continuation of long text, or a placeholder for items not shown yet. */
  part: 'end' | 'more' | null;
}

/** Maps the key of each expanded container or long text to the number of items shown. */
export type OpenRows = ReadonlyMap<string, number>;

const FIRST_ITEMS = 100;
const MORE_ITEMS = 1000;
const FOLDED_TEXT = 400;
/** Long text is split into rows of this length, because base64 has no line breaks. */
const ROW_TEXT = 2000;
const INLINE_ITEMS = 8;
const INLINE_LENGTH = 64;

interface Node {
  value: JsonValue;
  key: string;
  depth: number;
  name: string | null;
  isLast: boolean;
}

/** Returns rows only for expanded containers, so a huge body stays cheap to render. */
export function listJsonRows(value: JsonValue, open: OpenRows): JsonRow[] {
  const rows: JsonRow[] = [];
  // Use an explicit stack: a deeply nested response would overflow the call stack.
  const stack: (Node | JsonRow)[] = [{ value, key: '', depth: 0, name: null, isLast: true }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('pieces' in next) rows.push(next);
    else if (isFoldable(next.value)) addContainer(next, open.get(next.key), rows, stack);
    else rows.push(...listLeafRows(next, open.has(next.key)));
  }
  return rows;
}

/** Expands levels from the top up to about `maxRows` rows. Long text stays collapsed. */
export function openRows(value: JsonValue, maxRows: number): Map<string, number> {
  const open = new Map<string, number>();
  if (!isFoldable(value)) return open;
  let rowCount = 1;
  const queue: { value: JsonValue; key: string }[] = [{ value, key: '' }];
  for (const { value: holder, key } of queue) {
    const shown = Math.min(countChildren(holder), FIRST_ITEMS);
    if (key !== '' && rowCount + shown > maxRows) continue;
    open.set(key, shown);
    rowCount += shown + 1;
    for (const { value: child, key: childKey } of getChildren(holder, key, 0, shown)) {
      if (isFoldable(child)) queue.push({ value: child, key: childKey });
    }
  }
  return open;
}

/** A problem of the value at a JSON Pointer, such as `/items/0/name`. */
export interface RowProblem {
  path: string;
  message: string;
}

/** Returns the key of the row at a JSON Pointer, or of the nearest value that exists. */
export function getRowKey(value: JsonValue, path: string): string {
  let key = '';
  let at: JsonValue = value;
  for (const step of path.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const place = Array.isArray(at)
      ? Number(name)
      : isJsonObject(at)
        ? Object.keys(at).indexOf(name)
        : -1;
    const child: JsonValue | undefined = Array.isArray(at)
      ? at[place]
      : isJsonObject(at)
        ? at[name]
        : undefined;
    if (child === undefined) return key;
    key = `${key}/${place}`;
    at = child;
  }
  return key;
}

/** Returns whether a value exists at a JSON Pointer. */
export function hasPointer(value: JsonValue, path: string): boolean {
  return getRowKey(value, path).split('/').length === path.split('/').length;
}

/** Expands the rows above the given ones. */
export function openAncestors(open: OpenRows, keys: readonly string[]): OpenRows {
  const after = new Map(open);
  for (const key of keys) {
    const places = key.split('/').slice(1);
    for (const [depth, place] of places.entries()) {
      const above = places
        .slice(0, depth)
        .map((one) => `/${one}`)
        .join('');
      after.set(above, Math.max(after.get(above) ?? FIRST_ITEMS, Number(place) + 1));
    }
  }
  return after;
}

/** Expands or collapses the row, or shows more items of a long list. */
export function toggleRow(open: OpenRows, row: JsonRow): OpenRows {
  const after = new Map(open);
  if (row.part === 'more') after.set(row.key, (open.get(row.key) ?? 0) + MORE_ITEMS);
  else if (row.isOpen === true) after.delete(row.key);
  else if (row.isOpen === false) after.set(row.key, FIRST_ITEMS);
  return after;
}

/** Returns false for empty containers and for short lists that fit in one row. */
function isFoldable(value: JsonValue): value is JsonValue[] | { [name: string]: JsonValue } {
  if (Array.isArray(value)) return value.length > 0 && inlineItems(value) === null;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function countChildren(holder: JsonValue): number {
  if (Array.isArray(holder)) return holder.length;
  return isJsonObject(holder) ? Object.keys(holder).length : 0;
}

interface Child {
  value: JsonValue;
  key: string;
  name: string | null;
}

function getChildren(holder: JsonValue, key: string, from: number, to: number): Child[] {
  if (Array.isArray(holder)) {
    return holder
      .slice(from, to)
      .map((value, at) => ({ value, key: `${key}/${from + at}`, name: null }));
  }
  if (!isJsonObject(holder)) return [];
  return Object.entries(holder)
    .slice(from, to)
    .map(([name, value], at) => ({ value, key: `${key}/${from + at}`, name }));
}

function addContainer(
  { value, key, depth, name, isLast }: Node,
  shown: number | undefined,
  rows: JsonRow[],
  stack: (Node | JsonRow)[],
): void {
  const [begin, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const count = countChildren(value);
  const comma = isLast ? '' : ',';
  const row = { key, depth, part: null };
  if (shown === undefined) {
    const words = pluralize(count, Array.isArray(value) ? 'item' : 'field');
    const folded = [mark(`${begin}…${end}${comma}`), note(` ${words}`)];
    rows.push({ ...row, pieces: [...namePieces(name), ...folded], isOpen: false });
    return;
  }
  rows.push({ ...row, pieces: [...namePieces(name), mark(begin)], isOpen: true });
  stack.push({ key, depth, pieces: [mark(`${end}${comma}`)], isOpen: null, part: 'end' });
  if (shown < count) {
    const pieces = [note(`${pluralize(count - shown, 'more item')}…`)];
    stack.push({ key, depth: depth + 1, pieces, isOpen: null, part: 'more' });
  }
  const children = getChildren(value, key, 0, shown);
  for (const [at, child] of [...children.entries()].reverse()) {
    stack.push({ ...child, depth: depth + 1, isLast: at === count - 1 });
  }
}

function listLeafRows({ value, key, depth, name, isLast }: Node, isOpen: boolean): JsonRow[] {
  const end = isLast ? [] : [mark(',')];
  const row = { key, depth, part: null };
  if (typeof value !== 'string' || value.length <= FOLDED_TEXT) {
    return [
      { ...row, pieces: [...namePieces(name), ...listPlainPieces(value), ...end], isOpen: null },
    ];
  }
  if (!isOpen) {
    const start = JSON.stringify(dropHalfCharacter(value.slice(0, FOLDED_TEXT))).slice(0, -1);
    const rest = pluralize(value.length - FOLDED_TEXT, 'more character');
    const pieces = [...namePieces(name), string(`${start}…"`), ...end, note(` ${rest}`)];
    return [{ ...row, pieces, isOpen: false }];
  }
  const text = JSON.stringify(value);
  const rows: JsonRow[] = [];
  for (let at = 0; at < text.length; at += ROW_TEXT) {
    const pieces = [string(text.slice(at, at + ROW_TEXT))];
    rows.push(
      at === 0
        ? { ...row, pieces: [...namePieces(name), ...pieces], isOpen: true }
        : { ...row, pieces, isOpen: null, part: 'end' },
    );
  }
  rows.at(-1)?.pieces.push(...end);
  return rows;
}

/** Drops an unpaired surrogate at the end. */
function dropHalfCharacter(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

function namePieces(name: string | null): JsonPiece[] {
  return name === null ? [] : [{ kind: 'name', text: JSON.stringify(name) }, mark(': ')];
}

function listPlainPieces(value: JsonValue): JsonPiece[] {
  if (typeof value === 'string') return [string(JSON.stringify(value))];
  if (isJsonNumber(value)) return [{ kind: 'number', text: String(value) }];
  if (Array.isArray(value)) {
    const items = inlineItems(value) ?? [];
    const pieces = items.flatMap((item, at) => (at === 0 ? item : [mark(', '), ...item]));
    return [mark('['), ...pieces, mark(']')];
  }
  if (isJsonObject(value)) return [mark('{}')];
  return [{ kind: 'literal', text: String(value) }];
}

/** Returns the items of a list that fits in one row, or null. */
function inlineItems(list: readonly JsonValue[]): JsonPiece[][] | null {
  if (list.length > INLINE_ITEMS) return null;
  const items = list.map((item) =>
    isJsonObject(item) || Array.isArray(item) || String(item).length > INLINE_LENGTH
      ? null
      : listPlainPieces(item),
  );
  const known = items.filter((item) => item !== null);
  const length = known.flat().reduce((sum, { text }) => sum + text.length + 2, 0);
  return known.length === items.length && length <= INLINE_LENGTH ? known : null;
}

const define =
  (kind: JsonPiece['kind']) =>
  (text: string): JsonPiece => ({ kind, text });
const [mark, note, string] = [define('mark'), define('note'), define('string')];
