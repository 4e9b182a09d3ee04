import { useMemo, useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { type JsonRow, jsonRows, type OpenRows, openUpTo, toggleRow } from './json-rows.ts';

export interface ShownJson {
  rows: JsonRow[];
  toggle: (row: JsonRow) => void;
  /** Null if nothing is folded. */
  expandAll: (() => void) | null;
  /** Null if nothing below the top is open. */
  collapseAll: (() => void) | null;
}

/** More is folded at first. */
const DEFAULT_ROWS = 60;
/** "Expand all" of a body of megabytes still answers at once. */
const MAX_ROWS = 20_000;

/** The rows of a value, and what of it is open; another value starts over. */
export function useJsonRows(value: JsonValue, firstRows = DEFAULT_ROWS): ShownJson {
  const initial = useMemo(() => openUpTo(value, firstRows), [value, firstRows]);
  const [changed, setChanged] = useState<{ of: JsonValue; open: OpenRows } | null>(null);
  const open = changed !== null && changed.of === value ? changed.open : initial;
  const rows = useMemo(() => jsonRows(value, open), [value, open]);
  const show = (next: OpenRows) => setChanged({ of: value, open: next });
  const isFolded = ({ isOpen, pieces }: JsonRow) =>
    isOpen === false && pieces.every(({ kind }) => kind !== 'string');
  return {
    rows,
    toggle: (row) => show(toggleRow(open, row)),
    expandAll:
      rows.length < MAX_ROWS && rows.some(isFolded) ? () => show(openUpTo(value, MAX_ROWS)) : null,
    collapseAll: open.size > 1 ? () => show(openUpTo(value, 0)) : null,
  };
}
