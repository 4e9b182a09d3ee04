/** What a panel brings to its comparisons; grid, figures and the rest are shared. */
import type { ComponentType, ReactNode } from 'react';
import type { Cell, ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import type { RunSummary } from '../../../shared/run.ts';
import type { CompareFigure } from './figures-table.ts';

/** A variant as it is shown: a letter in place of its name while names are hidden. */
export interface CompareColumn {
  variant: ComparedVariant;
  name: string;
  isHidden: boolean;
}

export interface ComparedCellProps {
  cell: Cell;
  /** Its newest run. */
  run: RunSummary;
  column: CompareColumn;
}

export interface ComparedResultsProps {
  comparison: Comparison;
  notes: ComparisonNotes;
  /** By place. */
  cells: readonly Cell[];
  /** In the order in which they are shown. */
  columns: readonly CompareColumn[];
}

export interface ComparePanel {
  figures: readonly CompareFigure[];
  /** The result in a cell of the grid, from its first piece on. */
  Result: ComponentType<ComparedCellProps>;
  /** Around all of it, with what its cells share. */
  Frame?: ComponentType<ComparedResultsProps & { children: ReactNode }>;
  /** What the panel shows of all cells at once, above the grid. */
  Overview?: ComponentType<ComparedResultsProps>;
}
