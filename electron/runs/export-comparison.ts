/** A comparison with everything it has brought, as the text of one JSON value. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Cell, Comparison } from '../../shared/comparison.ts';
import type { ComparisonNotes } from '../../shared/comparison-notes.ts';
import type { RecordedRun } from '../../shared/contract/runs.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { replyOf } from '../../shared/run-view.ts';

/** Cells whose runs are read in one go: a few milliseconds. */
const READ_AT_ONCE = 50;

interface ExportOptions {
  comparison: Comparison;
  notes: ComparisonNotes;
  /** Of all cells. */
  places: readonly number[];
  cellsAt: (places: readonly number[]) => Cell[];
  read: (runId: string) => Promise<RecordedRun>;
  /** The text without any key that is known. */
  redact: (text: string) => string;
  /** Unix milliseconds. */
  exportedAt: number;
}

/**
 * The text in pieces, one for each cell: `{ kind, exportedAt, comparison, notes, cells }`. A cell's `run` is its summary
 * with `request`, `extraBody`, `wireNames`, `baseUrl` and `reply`; media are named by ID, type and size.
 */
export async function* exportComparison(options: ExportOptions): AsyncGenerator<string, void> {
  const { comparison, notes, places, exportedAt } = options;
  const head = {
    kind: 'gatehouse-comparison',
    exportedAt: new Date(exportedAt).toISOString(),
    comparison,
    notes,
  };
  yield options.redact(`${JSON.stringify(head).slice(0, -1)},\n"cells":[`);
  let isFirst = true;
  for (let from = 0; from < places.length; from += READ_AT_ONCE) {
    for (const cell of options.cellsAt(places.slice(from, from + READ_AT_ONCE))) {
      const text = JSON.stringify({ ...cell, run: await recorded(cell, options) });
      yield options.redact(`${isFirst ? '' : ','}\n${text}`);
      isFirst = false;
      await breathe();
    }
  }
  yield '\n]}\n';
}

async function recorded({ run }: Cell, { read }: ExportOptions) {
  if (run === null) return null;
  try {
    const { view, ...input } = await read(run.id);
    const { state: _state, seq: _seq, ...summary } = view;
    return { ...summary, ...input, reply: replyOf(view) };
  } catch (cause) {
    // It was deleted meanwhile.
    if (cause instanceof UserFacingError && cause.error.kind === 'not-found') return null;
    throw cause;
  }
}
