/** What a panel brings to its comparisons; grid, figures and the rest are shared. */
import type { ComponentType, ReactNode } from 'react';
import type { Cell, ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import { costTooltip } from '../../../shared/cost.ts';
import { formatCost } from '../../../shared/format-cost.ts';
import type { RunSummary } from '../../../shared/run.ts';
import {
  firstOutputMs,
  timingTooltips,
  tokensPerSecond,
  totalMs,
} from '../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';

export interface VariantName {
  /** The user's own or its model, beside its differences; numbered where those are another's, too: `demo-chat (2)`. */
  name: string;
  /** Where its differences are not in sight: `demo-chat · temperature 0.2`. */
  title: string;
}

/** A variant as it is shown: a letter in place of its name while names are hidden. */
export interface CompareColumn extends VariantName {
  variant: ComparedVariant;
  isHidden: boolean;
}

export interface ComparedCellProps {
  cell: Cell;
  /** Its newest run. */
  run: RunSummary;
  column: CompareColumn;
  /** How it is called among the others: `demo-chat · temperature 0.2, Repeat 2`. */
  title: string;
}

export interface ComparedResultsProps {
  comparison: Comparison;
  notes: ComparisonNotes;
  /** By place. */
  cells: readonly Cell[];
  /** In the order in which they are shown. */
  columns: readonly CompareColumn[];
}

export interface CompareFigure {
  id: string;
  label: string;
  /** Of the plain number in CSV: `ms`; missing if the label has it, or it is a count. */
  unit?: string;
  /** How it is computed, for its tooltip. */
  help: string;
  /** Which is better; null if neither is. */
  best: 'least' | 'greatest' | null;
  /** Null if the run does not have it. */
  of: (run: RunSummary) => number | null;
  format: (value: number) => string;
}

/** What is shown in words beside the figures. */
export interface CompareFact {
  id: string;
  label: string;
  /** Where it comes from, for its tooltip. */
  help: string;
  /** Null if the cell does not have it. */
  of: (cell: Cell, comparison: Comparison) => string | null;
}

export interface ComparePanel {
  figures: readonly CompareFigure[];
  facts?: readonly CompareFact[];
  /** The result in a cell of the grid, from its first piece on. */
  Result: ComponentType<ComparedCellProps>;
  /** A CSS length that no column needs to be wider than; missing if they share all there is. */
  columnWidth?: (cells: readonly Cell[]) => string;
  /** Around all of it, with what its cells share. */
  Frame?: ComponentType<ComparedResultsProps & { children: ReactNode }>;
  /** What the panel shows of all cells at once, above the grid. */
  Overview?: ComponentType<ComparedResultsProps>;
}

export const totalFigure: CompareFigure = {
  id: 'total',
  label: 'Total time',
  unit: 'ms',
  help: timingTooltips.total,
  best: 'least',
  of: totalMs,
  format: formatDuration,
};

/** `label`: what the first piece of output is. */
export function firstOutputFigure(label: string): CompareFigure {
  return {
    id: 'first',
    label,
    unit: 'ms',
    help: timingTooltips.firstOutput,
    best: 'least',
    of: firstOutputMs,
    format: formatDuration,
  };
}

export const tokenFigures: readonly CompareFigure[] = [
  {
    id: 'speed',
    label: 'Tokens/s',
    help: timingTooltips.speed,
    best: 'greatest',
    of: ({ figures, timings }) => tokensPerSecond(figures?.usage?.completion_tokens, timings),
    format: formatRate,
  },
  {
    id: 'in',
    label: 'Input',
    help: 'Input tokens.',
    best: null,
    of: ({ figures }) => figures?.usage?.prompt_tokens ?? null,
    format: formatCount,
  },
  {
    id: 'out',
    label: 'Output',
    help: 'Output tokens.',
    best: null,
    of: ({ figures }) => figures?.usage?.completion_tokens ?? null,
    format: formatCount,
  },
];

export const sizeFigure: CompareFigure = {
  id: 'size',
  label: 'Size',
  unit: 'bytes',
  help: 'Total size of received files.',
  best: null,
  of: ({ media }) =>
    media.length === 0 ? null : media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  format: formatBytes,
};

/** Of models with a price. */
export const costFigure: CompareFigure = {
  id: 'cost',
  label: 'Est. cost',
  unit: 'USD',
  help: costTooltip,
  best: 'least',
  of: ({ cost }) => cost,
  format: formatCost,
};
