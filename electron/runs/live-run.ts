/** Holds an active run's numbered events, its current view and its watchers. */
import { setImmediate as nextTurn, setTimeout as pauseFor } from 'node:timers/promises';
import type { RunUpdate, RunUpdateMessage } from '../../shared/contract/runs.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { diff } from '../../shared/patch.ts';
import { isFinished, type RunEvent, type RunEventBody, type RunSummary } from '../../shared/run.ts';
import { foldEvents, type RunView } from '../../shared/run-view.ts';
import { splitUpdate } from '../../shared/update-parts.ts';

export interface RecordedEvents {
  events: readonly RunEvent[];
  produced: number;
}

/** The fold of one event, computed on a thread. */
export interface FoldedBody<Name extends OperationName = OperationName> {
  from: RunView<Name>;
  folded: Pick<RunView<Name>, 'state' | 'phase'>;
}

export interface LiveRun<Name extends OperationName = OperationName> {
  readonly now: () => number;
  quietMs(): number;
  view(): RunView<Name>;
  /** Uses `known` if it was folded from the current view. */
  record(bodies: readonly RunEventBody[], known?: FoldedBody<Name>): RecordedEvents;
  /** Replaces the view; every watcher then gets a snapshot. */
  restate(view: RunView<Name>): void;
  /** Counts how often the view was replaced. */
  restatements(): number;
  /** Sets what is computed at the end, which watchers receive with the latest event. */
  conclude(conclusion: Pick<RunSummary, 'cost' | 'findings'>): void;
  waitForChange(signal: AbortSignal | undefined): Promise<void>;
  cancel(): void;
  interrupt(): void;
  isInterrupted(): boolean;
  /** Ends all watches if the run stops being live before it has finished. */
  release(): void;
  isReleased(): boolean;
  readonly signal: AbortSignal;
}

/** `clock` is monotonic; `ageMs` is the time since the run was created. */
export function createLiveRun<Name extends OperationName>(
  first: RunView<Name>,
  clock: () => number,
  { ageMs, lastAtMs }: { ageMs: number; lastAtMs: number } = { ageMs: 0, lastAtMs: 0 },
): LiveRun<Name> {
  const startedAt = clock() - ageMs;
  const abort = new AbortController();
  const waiting = new Set<() => void>();
  let view = first;
  let lastEventAtMs = lastAtMs;
  let interrupted = false;
  let released = false;
  let restatements = 0;

  function wakeAll(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  const now = () => clock() - startedAt;

  return {
    now,
    quietMs: () => Math.max(0, now() - lastEventAtMs),
    view: () => view,
    signal: abort.signal,
    cancel: () => abort.abort(),
    interrupt() {
      interrupted ||= !abort.signal.aborted;
      abort.abort();
    },
    isInterrupted: () => interrupted,
    release() {
      released = true;
      wakeAll();
    },
    isReleased: () => released,
    record(bodies, known) {
      const first = view.seq + 1;
      const atMs = toMicroseconds(now());
      const events = bodies.map((body, at): RunEvent => ({ ...body, seq: first + at, atMs }));
      const folded =
        known?.from === view
          ? { view: { ...view, ...known.folded, seq: first }, produced: 0 }
          : foldEvents(view, events);
      view = folded.view;
      lastEventAtMs = atMs;
      // A long body takes time to record and to send, so do each in a separate turn.
      if (known === undefined) wakeAll();
      else setImmediate(wakeAll);
      return { events, produced: folded.produced };
    },
    restate(restated) {
      view = restated;
      restatements += 1;
    },
    restatements: () => restatements,
    conclude(conclusion) {
      view = { ...view, ...conclusion };
    },
    waitForChange(signal) {
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        if (signal?.aborted) return resolve();
        signal?.addEventListener('abort', wake);
        waiting.add(wake);
      });
    },
  };
}

/** A whole number of microseconds takes half as many characters on disk. */
const toMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000;

/** Number of updates waiting for their turn, across all watches. */
export interface UpdatePace {
  waiting: number;
}

export const createUpdatePace = (): UpdatePace => ({ waiting: 0 });

/** The page paints at most one update per screen frame. */
const FRAME_MS = 16;
/** Waiting ten times the cost of an update leaves time to read hundreds of streams. */
const REST_PER_WATCH_MS = 0.5;
const MAX_REST_MS = 150;

function getRestMs({ waiting }: UpdatePace): number {
  return Math.min(MAX_REST_MS, Math.max(FRAME_MS, REST_PER_WATCH_MS * waiting));
}

/**
 * Yields a snapshot if `after` is outdated and whenever the view was replaced, and merged updates
 * until the run ends. Calls `save` right before each, so that what the page shows is on disk.
 */
export async function* streamUpdates(
  run: LiveRun,
  after: number | null,
  signal: AbortSignal | undefined,
  pace: UpdatePace,
  save: () => void,
  pause: (ms: number) => Promise<void> = (ms) =>
    pauseFor(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
): AsyncGenerator<RunUpdate, void> {
  save();
  let sent = run.view();
  let restatements = run.restatements();
  let sentAtMs = Number.NEGATIVE_INFINITY;
  if (after !== sent.seq) {
    yield { type: 'snapshot', seq: sent.seq, view: sent, quietMs: run.quietMs() };
  }
  while (!signal?.aborted) {
    if (run.view().seq === sent.seq) {
      if (isFinished(sent.status) || run.isReleased()) return;
      await run.waitForChange(signal);
      continue;
    }
    pace.waiting += 1;
    const restMs = sentAtMs + getRestMs(pace) - run.now();
    if (restMs > 0 && !isFinished(run.view().status)) await pause(restMs);
    pace.waiting -= 1;
    if (signal?.aborted) return;
    save();
    const view = run.view();
    sentAtMs = run.now();
    if (run.restatements() === restatements) {
      yield { type: 'update', from: sent.seq, to: view.seq, patch: diff(sent, view) };
    } else {
      restatements = run.restatements();
      yield { type: 'snapshot', seq: view.seq, view, quietMs: run.quietMs() };
    }
    sent = view;
  }
}

/** Sends each part of a large update in a separate turn of the event loop. */
export async function* sendInParts(
  updates: AsyncIterable<RunUpdate>,
): AsyncGenerator<RunUpdateMessage, void> {
  for await (const update of updates) {
    for (const message of splitUpdate(update)) {
      yield message;
      if (message.type === 'part') await nextTurn();
    }
  }
}
