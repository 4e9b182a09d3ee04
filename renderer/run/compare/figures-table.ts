/** Computes metrics per variant: medians of successful requests, with quartiles. */
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import { hasResult } from '../../../shared/run.ts';
import { isStopped } from './cell-status.ts';
import { listSentVariants } from './compare-columns.ts';
import type { CompareColumn, CompareFact, CompareFigure } from './compare-panel.ts';

export interface FiguresLine {
  id: string;
  /** The variant's name; a letter while names are hidden. */
  name: string;
  differences: readonly string[];
  succeeded: number;
  /** Excludes stopped requests, which neither succeeded nor failed. */
  requests: number;
  stopped: number;
  /** In the order of `facts`; an item is empty if no cell has the fact. */
  facts: readonly string[];
  /** In the order of `figures`. */
  values: readonly (RepeatSummary | null)[];
  isBest: readonly boolean[];
}

export interface FiguresTable {
  /** Excludes metrics that no variant has. */
  figures: readonly CompareFigure[];
  facts: readonly CompareFact[];
  lines: readonly FiguresLine[];
}

export function createFiguresTable(
  comparison: Comparison,
  columns: readonly CompareColumn[],
  cells: readonly Cell[],
  all: readonly CompareFigure[],
  allFacts: readonly CompareFact[] = [],
): FiguresTable {
  const sent = listSentVariants(comparison, columns, cells);
  const measured = sent.map(({ cells: own }) => {
    const runs = own.flatMap(({ run }) => (run !== null && hasResult(run) ? [run] : []));
    const values = all.map((figure) => summarizeRepeats(runs.map((run) => figure.of(run))));
    const stopped = own.filter(isStopped).length;
    return { requests: own.length - stopped, stopped, succeeded: runs.length, values };
  });
  const kept = all.flatMap((_, at) => (measured.some(({ values }) => values[at]) ? [at] : []));
  const figures = kept.flatMap((at) => all[at] ?? []);
  const best = kept.map((at) => {
    const direction = all[at]?.best ?? null;
    const known = measured.filter(({ values }) => values[at]).length;
    if (direction === null || known < 2) return sent.map(() => false);
    return markBest(
      measured.map(({ values }) => values[at]?.median ?? null),
      direction,
      all[at]?.format,
    );
  });
  const isKnown = (fact: CompareFact) => cells.some((cell) => fact.of(cell, comparison) !== null);
  const facts = allFacts.filter(isKnown);
  const lines = sent.map(({ id, name, differences, cells: own }, line) => ({
    id,
    name,
    differences,
    succeeded: measured[line]?.succeeded ?? 0,
    requests: measured[line]?.requests ?? 0,
    stopped: measured[line]?.stopped ?? 0,
    facts: facts.map((fact) => {
      if (fact.summarize !== undefined) return fact.summarize(own) ?? '';
      const words = own.flatMap((cell) => fact.of(cell, comparison) ?? []);
      return [...new Set(words)].join(', ');
    }),
    values: kept.map((at) => measured[line]?.values[at] ?? null),
    isBest: best.map((marks) => marks[line] ?? false),
  }));
  return { figures, facts, lines };
}

export interface FiguresOrder {
  by: string | null;
  descending: boolean;
}

/** Sorts lines without the metric last. */
export function sortLines({ figures, lines }: FiguresTable, order: FiguresOrder): FiguresLine[] {
  const at = figures.findIndex(({ id }) => id === order.by);
  if (at === -1) return [...lines];
  const direction = order.descending ? -1 : 1;
  return lines.toSorted((one, other) => {
    const [mine, its] = [one.values[at]?.median, other.values[at]?.median];
    if (mine === undefined || its === undefined)
      return Number(mine === undefined) - Number(its === undefined);
    return direction * (mine - its);
  });
}

/** Returns `1.20 s`, or `1.20 s (0.98 s–1.40 s)` with quartiles if requests repeat. */
export function formatValue({ format }: CompareFigure, value: RepeatSummary | null): string {
  if (value === null) return '';
  return value.count === 1
    ? format(value.median)
    : `${format(value.median)} (${formatSpread({ format }, value)})`;
}

export function formatSpread(
  { format }: Pick<CompareFigure, 'format'>,
  { lowerQuartile, upperQuartile }: RepeatSummary,
): string {
  return `${format(lowerQuartile)}–${format(upperQuartile)}`;
}

/** Returns `3 of 4`, or `2 of 3 · 1 stopped`. */
export function formatSucceeded({ succeeded, requests, stopped }: FiguresLine): string {
  const words = stopped > 0 ? [`${stopped} stopped`] : [];
  if (requests === 0 && stopped > 0) return words.join();
  return [`${succeeded} of ${requests}`, ...words].join(' · ');
}

function listTextCells({ figures, facts, lines }: FiguresTable): string[][] {
  const labels = [...facts, ...figures].map(({ label }) => label);
  const head = ['Variant', 'Differences', 'Succeeded', ...labels];
  const body = lines.map((line) => [
    line.name,
    line.differences.join('; '),
    formatSucceeded(line),
    ...line.facts,
    ...figures.map((figure, at) => formatValue(figure, line.values[at] ?? null)),
  ]);
  return [head, ...body];
}

export function getMarkdown(table: FiguresTable): string {
  const [head = [], ...body] = listTextCells(table).map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

/** Returns RFC 4180 CSV with unformatted numbers and separate quartile columns. */
export function getCsv({ figures, facts, lines }: FiguresTable): string {
  const repeated = figures.map((_, at) => lines.some(({ values }) => (values[at]?.count ?? 0) > 1));
  const hasStopped = lines.some(({ stopped }) => stopped > 0);
  const counts = ['Succeeded', 'Requests', ...(hasStopped ? ['Stopped'] : [])];
  const head = figures.flatMap(({ label, unit }, at) => {
    const named = unit === undefined ? label : `${label} [${unit}]`;
    return repeated[at] === true
      ? [`${named} (median)`, `${named} (Q1)`, `${named} (Q3)`]
      : [named];
  });
  const body = lines.map((line) => [
    line.name,
    line.differences.join('; '),
    String(line.succeeded),
    String(line.requests),
    ...(hasStopped ? [String(line.stopped)] : []),
    ...line.facts,
    ...line.values.flatMap((value, at) => {
      const median = value === null ? '' : String(value.median);
      if (repeated[at] !== true) return [median];
      return value === null
        ? ['', '', '']
        : [median, String(value.lowerQuartile), String(value.upperQuartile)];
    }),
  ]);
  const factLabels = facts.map(({ label }) => label);
  return [['Variant', 'Differences', ...counts, ...factLabels, ...head], ...body]
    .map((cells) => cells.map(escapeCsvCell).join(','))
    .join('\r\n');
}

function escapeCsvCell(text: string): string {
  // Prevents spreadsheets from running the text as a formula.
  const plain = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export interface RepeatSummary {
  count: number;
  median: number;
  lowerQuartile: number;
  upperQuartile: number;
}

/** Returns null if no value is a finite number. */
export function summarizeRepeats(values: readonly (number | null)[]): RepeatSummary | null {
  const sorted = values.filter(isFigure).sort((one, other) => one - other);
  if (sorted.length === 0) return null;
  return {
    count: sorted.length,
    median: computeQuantile(sorted, 0.5),
    lowerQuartile: computeQuantile(sorted, 0.25),
    upperQuartile: computeQuantile(sorted, 0.75),
  };
}

/** Marks all values that equal the best one, or look equal after rounding. */
export function markBest(
  values: readonly (number | null)[],
  best: 'least' | 'greatest',
  format: (value: number) => unknown = (value) => value,
): boolean[] {
  const figures = values.filter(isFigure);
  const pick = best === 'least' ? Math.min : Math.max;
  const value = figures.length === 0 ? null : figures.reduce((one, other) => pick(one, other));
  if (value === null) return values.map(() => false);
  return values.map((one) => isFigure(one) && format(one) === format(value));
}

function isFigure(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

/**
 * Interpolates linearly, as R, NumPy and spreadsheets do (type 7 in
 * https://doi.org/10.2307/2684934).
 */
function computeQuantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? 0;
  const upper = sorted[Math.ceil(place)] ?? 0;
  return lower + (upper - lower) * (place - Math.floor(place));
}
