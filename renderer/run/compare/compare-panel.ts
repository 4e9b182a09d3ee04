/** Describes what a panel adds to comparisons, and the metrics that all panels share. */
import type { ComponentType, ReactNode } from 'react';
import type { Cell, ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import { costTooltip, formatCost } from '../../../shared/cost.ts';
import type { RunSummary } from '../../../shared/run.ts';
import {
  firstOutputMs,
  timingTooltips,
  tokensPerSecond,
  totalMs,
} from '../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';

export interface VariantName {
  /** The user's name or the model, with a number if another variant has it too. */
  name: string;
  /** Includes the first difference: `demo-chat · temperature 0.2`. */
  title: string;
}

export interface CompareColumn extends VariantName {
  variant: ComparedVariant;
  isHidden: boolean;
}

export interface ComparedCellProps {
  cell: Cell;
  run: RunSummary;
  column: CompareColumn;
  /** `demo-chat · temperature 0.2, Repeat 2`. */
  title: string;
}

export interface ComparedResultsProps {
  comparison: Comparison;
  notes: ComparisonNotes;
  cells: readonly Cell[];
  columns: readonly CompareColumn[];
}

export interface CompareFigure {
  id: string;
  label: string;
  /** The unit of the number in CSV: `ms`. Absent if the label names it or it is a count. */
  unit?: string;
  /** Shown as a tooltip. */
  help: string;
  /** Null if neither is better. */
  best: 'least' | 'greatest' | null;
  /** Returns null if the run has no such figure. */
  of: (run: RunSummary) => number | null;
  format: (value: number) => string;
}

export interface CompareFact {
  id: string;
  label: string;
  /** Shown as a tooltip. */
  help: string;
  of: (cell: Cell, comparison: Comparison) => string | null;
}

export interface ComparePanel {
  figures: readonly CompareFigure[];
  facts?: readonly CompareFact[];
  Result: ComponentType<ComparedCellProps>;
  /** Returns the maximum width as a CSS length. Columns share the width if it is absent. */
  columnWidth?: (cells: readonly Cell[]) => string;
  /** Wraps the results and shares state between cells. */
  Frame?: ComponentType<ComparedResultsProps & { children: ReactNode }>;
  /** Shown above the grid. */
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

/** `label` names the first output, such as `First token`. */
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

export const costFigure: CompareFigure = {
  id: 'cost',
  label: 'Est. cost',
  unit: 'USD',
  help: costTooltip,
  best: 'least',
  of: ({ cost }) => cost,
  format: formatCost,
};
