/** Defines what each panel adds to comparisons, and the metrics shared by all panels. */
import type { ComponentType, ReactNode } from 'react';
import type { Cell, ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import { costTooltip, formatCost } from '../../../shared/cost.ts';
import { getTokenCounts } from '../../../shared/operations/response/usage.ts';
import type { RunSummary } from '../../../shared/run.ts';
import {
  getFirstOutputMs,
  getSpeed,
  getTotalMs,
  timingTooltips,
} from '../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';

export interface VariantName {
  /** The user's name or the model, with a number if another variant has the same name. */
  name: string;
  /** Includes the first difference, such as `demo-chat · temperature 0.2`. */
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
  /** A title such as `demo-chat · temperature 0.2, Repeat 2`. */
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
  /** The unit in CSV, such as `ms`; undefined for counts, or if the label includes the unit. */
  unit?: string;
  help: string;
  /** Null if neither higher nor lower is better. */
  best: 'least' | 'greatest' | null;
  /** True for speed and cost, which a blind comparison hides. */
  revealsModel?: boolean;
  /** Returns null if the metric isn't available for the run. */
  of: (run: RunSummary) => number | null;
  format: (value: number) => string;
}

export interface CompareFact {
  id: string;
  label: string;
  help: string;
  of: (cell: Cell, comparison: Comparison) => string | null;
  /** Describes all requests of a variant; by default, their different facts are listed. */
  summarize?: (cells: readonly Cell[]) => string | null;
}

export interface ComparePanel {
  figures: readonly CompareFigure[];
  /** A hook that returns metrics of the results, which come before `figures`. */
  useFigures?: (results: ComparedResultsProps) => readonly CompareFigure[];
  facts?: readonly CompareFact[];
  /** The IDs of the metrics below each result, if known; without them, times are in its header. */
  cellFigures?: readonly string[];
  /** True if results without room for columns are shown as rows instead of tabs. */
  fitsRows?: boolean;
  /** Omitted if `Overview` shows every result. */
  Result?: ComponentType<ComparedCellProps>;
  /** Wraps the results, for example to share state between cells. */
  Frame?: ComponentType<ComparedResultsProps & { children: ReactNode }>;
  Overview?: ComponentType<ComparedResultsProps>;
  /** True if `Overview` shows the finished results, so it belongs below the requests' status. */
  hasResultsInOverview?: boolean;
}

export const totalFigure: CompareFigure = {
  id: 'total',
  label: 'Total time',
  unit: 'ms',
  help: timingTooltips.total,
  revealsModel: true,
  best: 'least',
  of: getTotalMs,
  format: formatDuration,
};

/** `label` names the first output, for example `First token`. */
export function createFirstOutputFigure(label: string): CompareFigure {
  return {
    id: 'first',
    label,
    unit: 'ms',
    help: timingTooltips.firstOutput,
    revealsModel: true,
    best: 'least',
    of: getFirstOutputMs,
    format: formatDuration,
  };
}

export const tokenFigures: readonly CompareFigure[] = [
  {
    id: 'speed',
    label: 'Tokens/s',
    help: timingTooltips.speed,
    revealsModel: true,
    best: 'greatest',
    of: (run) => getSpeed(run)?.tokensPerSecond ?? null,
    format: formatRate,
  },
  {
    id: 'in',
    label: 'Input',
    help: 'Input tokens.',
    best: null,
    of: ({ figures }) => getTokenCounts(figures?.usage ?? null).input,
    format: formatCount,
  },
  {
    id: 'out',
    label: 'Output',
    help: 'Output tokens.',
    best: null,
    of: ({ figures }) => getTokenCounts(figures?.usage ?? null).output,
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
  revealsModel: true,
  best: 'least',
  of: ({ cost }) => cost,
  format: formatCost,
};
