import { z } from 'zod';
import { percentile } from './rounds.ts';

const goalSchema = z.union([z.object({ atMost: z.number() }), z.object({ atLeast: z.number() })]);
export const figureSchema = z.object({
  what: z.string(),
  /** One value per round, or a single value. */
  values: z.array(z.number()).min(1),
  /** The unit; `×` for a ratio. */
  unit: z.string(),
  /** Null if the figure has no goal. */
  goal: goalSchema.nullable(),
});
export type Figure = z.infer<typeof figureSchema>;

export type Outcome = 'pass' | 'missed' | '';

/** Compares the figure's median with its goal. */
export function outcomeOf({ values, goal }: Figure): Outcome {
  if (goal === null) return '';
  const median = percentile(values, 50);
  return ('atMost' in goal ? median <= goal.atMost : median >= goal.atLeast) ? 'pass' : 'missed';
}

export function formatFigure(figure: Figure): string {
  const [what, median, range, goal, outcome] = cells(figure);
  const notes = [range, goal, outcome].filter((note) => note !== '');
  return `${what}: ${median}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

/** Formats one table per benchmark and marks failed tests. */
export function markdownTable(benches: ReadonlyMap<string, readonly Row[]>): string {
  const sections = [...benches].map(([name, rows]) =>
    [
      `### ${name}`,
      '',
      '| Measured | Median | Minimum to maximum | Goal | |',
      '|---|--:|--:|--:|---|',
      ...rows.map((row) => `| ${rowCells(row).join(' | ')} |`),
    ].join('\n'),
  );
  return sections.join('\n\n');
}

export type Row = Figure | { failed: string };

function rowCells(row: Row): string[] {
  return 'failed' in row ? [row.failed, '', '', '', 'failed'] : cells(row);
}

function cells(figure: Figure): string[] {
  const { what, values, unit, goal } = figure;
  const range =
    values.length === 1 ? '' : `${shown(Math.min(...values))}–${shown(Math.max(...values))}`;
  return [
    what,
    `${shown(percentile(values, 50))} ${unit}`,
    range,
    goal === null ? '' : 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
    outcomeOf(figure),
  ];
}

/** Formats three significant digits, or all digits of a larger number. */
function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) < 1 ? 3 : Math.abs(value) < 10 ? 2 : 1);
}
