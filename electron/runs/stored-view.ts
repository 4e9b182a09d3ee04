/** Rebuilds the view of an inactive run from its recorded events. */
import { setImmediate as breathe } from 'node:timers/promises';
import { initialPhase, type RunEvent } from '../../shared/run.ts';
import { createInitialView, foldEvents, type RunView } from '../../shared/run-view.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';

/** Reads events in pages, so that a long run doesn't block the main process. */
const PAGE = 500;

export function createEmptyView(run: StoredRun): RunView {
  const {
    request: { format },
    extraBody: _extra,
    wireNames: _names,
    follow: _task,
    baseUrl: _base,
    seq: _seq,
    ...summary
  } = run;
  const view = createInitialView({ ...summary, phase: initialPhase, media: [] });
  return typeof format === 'string' ? { ...view, format } : view;
}

/** The status and file names come from the run's row, and the rest from its events. */
export async function readStoredView(ledger: Ledger, run: StoredRun): Promise<RunView> {
  return { ...(await readRecordedView(ledger, run)), status: run.status };
}

/** Like `readStoredView`, but the status comes from the events too. */
export async function readRecordedView(ledger: Ledger, run: StoredRun): Promise<RunView> {
  const names = new Map(run.media.map(({ id, name }) => [id, name]));
  let view = createEmptyView(run);
  for (;;) {
    const page = ledger.events(run.id, { after: view.seq, limit: PAGE, kinds: null });
    view = foldEvents(
      view,
      page.events.map((event) => nameMedia(event, names)),
    ).view;
    if (!page.more) return view;
    await breathe();
  }
}

/** Adds events that were recorded while the view was read. */
export function catchUp(ledger: Ledger, read: RunView): RunView {
  let view = read;
  for (;;) {
    const page = ledger.events(view.id, { after: view.seq, limit: PAGE, kinds: null });
    view = foldEvents(view, page.events).view;
    if (!page.more) return view;
  }
}

function nameMedia(event: RunEvent, names: ReadonlyMap<string, string | null>): RunEvent {
  if (event.kind !== 'media') return event;
  const name = names.get(event.media.id) ?? event.media.name;
  return { ...event, media: { ...event.media, name } };
}
