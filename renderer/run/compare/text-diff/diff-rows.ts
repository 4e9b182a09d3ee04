/** Arranges differences in rows, and rows in blocks that render one at a time. */

import type { JsonChange } from '../metrics/json-diff.ts';
import type { DiffRun } from '../metrics/word-diff.ts';

export interface DiffPiece {
  kind: DiffRun['kind'];
  text: string;
  /** The difference's index; null for unchanged text. */
  change: number | null;
}

/** One unchanged line, or removed lines and the lines that replace them. */
export type DiffRow = DiffPiece[];

export interface DiffLayout {
  blocks: DiffRow[][];
  blockOfChange: number[];
}

export function layOutDiff(runs: readonly DiffRun[]): DiffLayout {
  const rows: DiffRow[] = [[]];
  let change = -1;
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    if (run === undefined) break;
    if (run.kind === 'same') {
      addLines(rows, [splitLines(run.text).map((text) => ({ kind: 'same', text, change: null }))]);
      continue;
    }
    change += 1;
    const next = runs[at + 1];
    const pair = run.kind === 'removed' && next?.kind === 'added' ? [run, next] : [run];
    at += pair.length - 1;
    addLines(
      rows,
      pair.map(({ kind, text }) => splitLines(text).map((line) => ({ kind, text: line, change }))),
    );
  }
  return toBlocks(rows.filter((row, at) => at < rows.length - 1 || row.length > 0));
}

/** Adds rows for the lines; the first line continues the last row. */
function addLines(rows: DiffRow[], sides: readonly DiffPiece[][]): void {
  const count = Math.max(...sides.map((lines) => lines.length));
  for (let line = 0; line < count; line += 1) {
    if (line > 0) rows.push([]);
    const pieces = sides.flatMap((lines) => lines[line] ?? []);
    rows.at(-1)?.push(...pieces.filter(({ text }) => text !== ''));
  }
}

const LONG_LINE = 2000;
const MAX_LINE = 4000;

/** Splits longer lines than `MAX_LINE` after a sentence or word beyond `LONG_LINE` characters. */
function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    if (line.length <= MAX_LINE) return [line];
    const parts: string[] = [];
    let from = 0;
    while (line.length - from > MAX_LINE) {
      const window = line.slice(from + LONG_LINE, from + MAX_LINE);
      const sentence = /[.!?。！？]\s*(?=\S)/u.exec(window) ?? /\s+(?=\S)/u.exec(window);
      const to =
        sentence === null
          ? from + MAX_LINE
          : from + LONG_LINE + sentence.index + sentence[0].length;
      parts.push(line.slice(from, to));
      from = to;
    }
    return [...parts, line.slice(from)];
  });
}

const BLOCK_CHARACTERS = 6000;
const BLOCK_PIECES = 300;

function toBlocks(rows: readonly DiffRow[]): DiffLayout {
  const blocks: DiffRow[][] = [];
  const blockOfChange: number[] = [];
  let characters = Number.POSITIVE_INFINITY;
  let pieces = 0;
  for (const row of rows) {
    if (characters > BLOCK_CHARACTERS || pieces > BLOCK_PIECES) {
      blocks.push([]);
      characters = 0;
      pieces = 0;
    }
    blocks.at(-1)?.push(row);
    // Empty lines take up space too.
    pieces += Math.max(1, row.length);
    for (const { text, change } of row) {
      characters += text.length;
      if (change !== null && blockOfChange[change] === undefined) {
        blockOfChange[change] = blocks.length - 1;
      }
    }
  }
  return { blocks, blockOfChange };
}

/** Formats changes as `[-removed-]` and `{+added+}`, like GNU wdiff. */
export function formatWordDiff(runs: readonly DiffRun[]): string {
  return runs
    .map(({ kind, text }) => {
      if (kind === 'same') return text;
      const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
      if (core === '') return text;
      return before + (kind === 'removed' ? `[-${core}-]` : `{+${core}+}`) + after;
    })
    .join('');
}

/** Formats changes as `- path: value` and `+ path: value`. */
export function formatJsonDiff(changes: readonly JsonChange[]): string {
  return changes
    .flatMap(({ path, before, after }) => [
      ...(before === null ? [] : [`- ${path}: ${before}`]),
      ...(after === null ? [] : [`+ ${path}: ${after}`]),
    ])
    .join('\n');
}

const SPOKEN_LENGTH = 200;

/** Shortens a change for screen readers. */
export function shorten(text: string): string {
  return text.length <= SPOKEN_LENGTH ? text : `${text.slice(0, SPOKEN_LENGTH)}…`;
}
