/** Defines how lists of runs are sorted. Threads load this file, so it must not import zod. */

export const RUN_COLUMNS = [
  'time',
  'panel',
  'model',
  'connection',
  'status',
  'tokens',
  'cost',
  'duration',
] as const;
export type RunColumn = (typeof RUN_COLUMNS)[number];

/** Sorts runs with equal values by time, and runs without a value last. */
export interface RunSort {
  by: RunColumn;
  isDescending: boolean;
}

export const newestFirst: RunSort = { by: 'time', isDescending: true };
