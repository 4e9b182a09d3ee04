/** Defines the SQL of the values that a list of runs is sorted by, and their indexes. */

/** The status, or `no-result` for success without a usable result. */
const RUN_OUTCOME = `(CASE
  WHEN status = 'succeeded' AND json_valid(figures) AND figures ->> '$.noResult' IS NOT NULL
  THEN 'no-result' ELSE status END)`;

/** Like `getTotalMs` in run-times.ts, but negative if the clock was set back. */
const RUN_DURATION = `(
  coalesce(CASE WHEN json_valid(timings) THEN timings ->> '$.endAtMs' END, finished_at - created_at)
  - min(started_at - created_at, coalesce(
    CASE WHEN json_valid(timings) THEN timings ->> '$.startedAtMs' END, started_at - created_at)))`;

/** Like `getFirstOutputMs` in run-times.ts. */
export const RUN_FIRST_OUTPUT = `(CASE WHEN json_valid(timings) THEN
  timings ->> '$.firstDeltaAtMs' - min(started_at - created_at, timings ->> '$.startedAtMs') END)`;

/** A query that repeats the condition uses the index of runs with a finding that doesn't hold. */
export const HAS_MISMATCH = `instr(findings, '"holds":false') > 0`;

/** The values other than time that a list of runs can be sorted by. */
export const RUN_SORT_VALUES = {
  panel: 'operation',
  model: 'model',
  connection: 'connection_name',
  status: RUN_OUTCOME,
  tokens: 'tokens',
  cost: 'cost',
  duration: RUN_DURATION,
} as const;

/** Sorts equal values by time; the other columns let filters that match few runs use the index. */
export const SORTED_INDEXES = Object.entries(RUN_SORT_VALUES)
  .map(
    ([by, value]) => `CREATE INDEX runs_sorted_by_${by} ON runs
    (${value}, row, connection_id, operation, model, status, created_at) WHERE deleted_at IS NULL;`,
  )
  .join('\n  ');
