import type { RunEvent } from '../../../../shared/run.ts';

export interface FrameRow {
  seq: number;
  atMs: number;
  /** Since the frame before; null for the first. */
  gapMs: number | null;
  /** The SSE event name, `comment` for a keep-alive, else empty. */
  label: string;
  data: string;
}

/** The SSE frames among the events, with the time since the run's start and the gap before each. */
export function frameRows(events: readonly RunEvent[]): FrameRow[] {
  const rows: FrameRow[] = [];
  for (const event of events) {
    if (event.kind !== 'chunk') continue;
    const before = rows.at(-1);
    rows.push({
      seq: event.seq,
      atMs: event.atMs,
      gapMs: before ? event.atMs - before.atMs : null,
      label: event.comment ? 'comment' : (event.event ?? ''),
      data: event.data,
    });
  }
  return rows;
}

/** Rows whose data or label contains the text, whatever the case; gaps stay those of the stream. */
export function filterRows(rows: FrameRow[], filter: string): FrameRow[] {
  const query = filter.trim().toLowerCase();
  if (query === '') return rows;
  return rows.filter(
    ({ data, label }) => data.toLowerCase().includes(query) || label.includes(query),
  );
}
