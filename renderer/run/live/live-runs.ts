import { useEffect } from 'react';
import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AppError } from '../../../shared/errors.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { isFinished } from '../../../shared/run.ts';
import { isRunOf, type RunView } from '../../../shared/run-view.ts';
import { api } from '../../lib/api.ts';
import { onChange } from '../../lib/change-listeners.ts';
import { createFlushPace } from './flush-pace.ts';
import { type FollowOptions, followRun } from './follow-run.ts';

interface LiveRuns {
  views: Readonly<Record<string, RunView>>;
  /** Runs that cannot be watched, such as one that was deleted. */
  problems: Readonly<Record<string, AppError>>;
  /** Unix milliseconds of each run's last event, wherever the page was then. */
  dataAt: Readonly<Record<string, number>>;
}

export const useLiveRuns = create<LiveRuns>(() => ({ views: {}, problems: {}, dataAt: {} }));

interface Watch {
  watchers: number;
  stop: AbortController;
}

const watches = new Map<string, Watch>();
const waiting = new Map<string, { view: RunView; dataAt: number }>();
/** Unfinished runs of which a file was renamed: main names it in their view once they have ended. */
const renamedDuring = new Set<string>();
const keptViews = 40;

/** Watches a run until the returned function is called; watchers of one run share one stream. */
export function watchRun(runId: string): () => void {
  const watch = watches.get(runId) ?? begin(runId);
  watch.watchers += 1;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    watch.watchers -= 1;
    if (watch.watchers === 0 && watches.get(runId) === watch) {
      watches.delete(runId);
      watch.stop.abort();
      forgetOld();
    }
  };
}

/** The live view of a run, watched while mounted; null until it is loaded, and for one of another operation. */
export function useRun<Name extends OperationName>(
  operation: Name,
  runId: string | null,
): RunView<Name> | null {
  const view = useRunView(runId);
  return view !== null && isRunOf(view, operation) ? view : null;
}

/** The live views of several runs, in their order; those that are not loaded are left out. */
export function useRuns<Name extends OperationName>(
  operation: Name,
  runIds: readonly string[],
): RunView<Name>[] {
  const joined = runIds.join(' ');
  useEffect(() => {
    const releases = joined === '' ? [] : joined.split(' ').map(watchRun);
    return () => {
      // After the next ones are watched: those that are in both stay so.
      queueMicrotask(() => {
        for (const release of releases) release();
      });
    };
  }, [joined]);
  return useLiveRuns(
    useShallow(({ views }) =>
      runIds.flatMap((id) => {
        const view = views[id];
        return view !== undefined && isRunOf(view, operation) ? [view] : [];
      }),
    ),
  );
}

/** The same for views that show runs of every operation. */
export function useRunView(runId: string | null): RunView | null {
  useWatch(runId);
  return useLiveRuns((state) => (runId === null ? null : (state.views[runId] ?? null)));
}

/** Unix milliseconds; null for a run that is not known here. */
export function useDataAt(runId: string): number | null {
  return useLiveRuns(({ dataAt }) => dataAt[runId] ?? null);
}

/** A part of the run: renders again only when that part (compared shallowly) changes. */
export function useRunPart<Part>(
  runId: string | null,
  select: (view: RunView) => Part,
): Part | undefined {
  useWatch(runId);
  return useLiveRuns(
    useShallow((state) => {
      const view = runId === null ? undefined : state.views[runId];
      return view === undefined ? undefined : select(view);
    }),
  );
}

export function useRunProblem(runId: string | null): AppError | null {
  return useLiveRuns((state) => (runId === null ? null : (state.problems[runId] ?? null)));
}

function useWatch(runId: string | null): void {
  useEffect(() => (runId === null ? undefined : watchRun(runId)), [runId]);
}

function begin(runId: string): Watch {
  const watch: Watch = { watchers: 0, stop: new AbortController() };
  watches.set(runId, watch);
  followFor(watch, runId);
  return watch;
}

/** From what is known of the run on; in place of an earlier stream. */
function followFor(watch: Watch, runId: string): void {
  watch.stop.abort();
  watch.stop = new AbortController();
  follow(runId, {
    known: () => knownView(runId),
    onView: (view, quietMs) => queue(runId, view, quietMs),
    signal: watch.stop.signal,
  });
}

function follow(runId: string, options: Pick<FollowOptions, 'known' | 'onView' | 'signal'>): void {
  void followRun({
    ...options,
    watch: (after, signal) => api.runs.watch({ id: runId, after }, { signal }),
    onProblem(problem) {
      // What it has brought before comes with it: shown later, it would end the problem.
      show([...waiting].filter(([id]) => id === runId));
      useLiveRuns.setState(({ problems }) => ({ problems: { ...problems, [runId]: problem } }));
    },
  });
}

function knownView(runId: string): RunView | null {
  return waiting.get(runId)?.view ?? useLiveRuns.getState().views[runId] ?? null;
}

/** By ID, with what still waits for its frame. */
function knownViews(): [runId: string, view: RunView][] {
  const waitingViews = [...waiting].map(([id, { view }]): [string, RunView] => [id, view]);
  return [...new Map([...Object.entries(useLiveRuns.getState().views), ...waitingViews])];
}

/** Runs that change at once share the frames: each frame shows so many, and an eighth of those that wait. */
const runsPerFrame = 2;

const pace = createFlushPace(flush);

/** What follows before it is shown becomes the same update of the store. */
function queue(runId: string, view: RunView, quietMs: number): void {
  if (waiting.size === 0) pace.arrived();
  waiting.set(runId, { view, dataAt: Date.now() - quietMs });
  if (isFinished(view.status) && renamedDuring.delete(runId)) watchAgain(runId);
}

/** Those that have waited longest: a run that changes again keeps its place. */
function flush(): void {
  const count = document.hidden
    ? waiting.size
    : Math.max(runsPerFrame, Math.ceil(waiting.size / 8));
  show([...waiting].slice(0, count));
  if (waiting.size > 0) pace.later();
}

function show(arrived: [runId: string, of: { view: RunView; dataAt: number }][]): void {
  if (arrived.length === 0) return;
  for (const [id] of arrived) waiting.delete(id);
  useLiveRuns.setState(({ views, problems, dataAt }) => ({
    views: { ...views, ...Object.fromEntries(arrived.map(([id, { view }]) => [id, view])) },
    dataAt: { ...dataAt, ...Object.fromEntries(arrived.map(([id, of]) => [id, of.dataAt])) },
    problems: arrived.some(([id]) => id in problems)
      ? without(problems, new Set(arrived.map(([id]) => id)))
      : problems,
  }));
}

// The watch of a run that has ended hears no more of it: it may have been deleted.
onChange((change) => {
  if (change !== null && change.topic !== 'runs') return;
  const { problems } = useLiveRuns.getState();
  for (const [runId, { status, media }] of knownViews()) {
    const watch = watches.get(runId);
    if ((change?.id ?? runId) !== runId || watch === undefined || runId in problems) continue;
    // After a lost link those with files are fetched below.
    if (isFinished(status) && (change !== null || media.length === 0)) followFor(watch, runId);
  }
});

// Undo, perhaps in another panel, restores a run that was deleted. Its watch has ended with the problem.
onChange((change) => {
  if (change !== null && change.topic !== 'runs') return;
  const dropped = new Set<string>();
  for (const [runId, { kind }] of Object.entries(useLiveRuns.getState().problems)) {
    if (kind !== 'not-found' || (change?.id ?? runId) !== runId) continue;
    if (change === null && !watches.has(runId)) dropped.add(runId);
    else watchAgain(runId);
  }
  if (dropped.size > 0) {
    useLiveRuns.setState(({ problems }) => ({ problems: without(problems, dropped) }));
  }
});

// Runs are estimated to cost something else, without another event.
onChange((change) => {
  if (change?.topic !== 'runs' || change.id !== null) return;
  const dropped = new Set<string>();
  for (const [runId, { status }] of knownViews()) {
    if (!isFinished(status)) continue;
    if (watches.has(runId)) watchAgain(runId);
    else dropped.add(runId);
  }
  dropViews(dropped);
});

// A file that was renamed in the library is called so in the result of its run too.
onChange((change) => {
  if (change !== null && change.topic !== 'media') return;
  const dropped = new Set<string>();
  for (const [runId, { status, media }] of knownViews()) {
    if (!media.some(({ id }) => (change?.id ?? id) === id)) continue;
    if (!isFinished(status)) renamedDuring.add(runId);
    // After a lost link any of them may have changed: those that nobody watches are fetched when somebody does.
    else if (change === null && !watches.has(runId)) dropped.add(runId);
    else watchAgain(runId);
  }
  dropViews(dropped);
});

/**
 * The whole view, also where nothing has happened to the run since: it ends the problem. Followed to the end for
 * those who watch; for nobody it is fetched once.
 */
export function watchAgain(runId: string): void {
  const watch = watches.get(runId);
  const stop = new AbortController();
  if (watch !== undefined) {
    watch.stop.abort();
    watch.stop = stop;
  }
  const before = knownView(runId);
  follow(runId, {
    known() {
      const known = knownView(runId);
      return known === before ? null : known;
    },
    onView(view, quietMs) {
      queue(runId, view, quietMs);
      if (watch === undefined) stop.abort();
    },
    signal: stop.signal,
  });
}

function forgetOld(): void {
  const unwatched = Object.keys(useLiveRuns.getState().views).filter((id) => !watches.has(id));
  dropViews(new Set(unwatched.slice(0, Math.max(0, unwatched.length - keptViews))));
}

function dropViews(dropped: ReadonlySet<string>): void {
  if (dropped.size === 0) return;
  for (const id of dropped) waiting.delete(id);
  useLiveRuns.setState(({ views, dataAt }) => ({
    views: without(views, dropped),
    dataAt: without(dataAt, dropped),
  }));
}

function without<Value>(
  all: Readonly<Record<string, Value>>,
  dropped: ReadonlySet<string>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => !dropped.has(id)));
}
