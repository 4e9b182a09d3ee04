import { useEffect } from 'react';
import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AppError } from '../../../shared/errors.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { isFinished } from '../../../shared/run.ts';
import { isRunOf, type RunView } from '../../../shared/run-view.ts';
import { joinUpdates } from '../../../shared/update-parts.ts';
import { api } from '../../lib/api.ts';
import { onChange } from '../../lib/change-listeners.ts';
import { createFlushPace } from './flush-pace.ts';
import { type FollowOptions, followRun } from './follow-run.ts';

interface LiveRuns {
  views: Readonly<Record<string, RunView>>;
  /** Errors of runs that can't be watched, such as deleted runs. */
  problems: Readonly<Record<string, AppError>>;
  /** Maps run IDs to the time of the last event in Unix milliseconds. */
  dataAt: Readonly<Record<string, number>>;
}

export const useLiveRuns = create<LiveRuns>(() => ({ views: {}, problems: {}, dataAt: {} }));

interface Watch {
  watchers: number;
  stop: AbortController;
}

const watches = new Map<string, Watch>();
const waiting = new Map<string, { view: RunView; dataAt: number }>();
/** Active runs with a renamed file; their views must be refetched when the runs end. */
const renamedDuring = new Set<string>();
const keptViews = 40;

/** Watchers of the same run share one stream. */
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

/** Returns null until the run loads, or if the run has another operation. */
export function useRun<Name extends OperationName>(
  operation: Name,
  runId: string | null,
): RunView<Name> | null {
  const view = useRunView(runId);
  return view !== null && isRunOf(view, operation) ? view : null;
}

/** Excludes runs that haven't loaded. */
export function useRunViews<Name extends OperationName>(
  operation: Name,
  runIds: readonly string[],
): RunView<Name>[] {
  const joined = runIds.join(' ');
  useEffect(() => {
    const releases = joined === '' ? [] : joined.split(' ').map(watchRun);
    return () => {
      // Watch the next runs first, so that runs in both lists keep their streams.
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

export function useRunView(runId: string | null): RunView | null {
  useWatch(runId);
  return useLiveRuns((state) => (runId === null ? null : (state.views[runId] ?? null)));
}

/** Re-renders only if the selected part changes (shallow comparison). */
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
  startFollowing(watch, runId);
  return watch;
}

/** Continues from the known view and replaces the previous stream. */
function startFollowing(watch: Watch, runId: string): void {
  watch.stop.abort();
  watch.stop = new AbortController();
  follow(runId, {
    known: () => getKnownView(runId),
    onView: (view, quietMs) => queue(runId, view, quietMs),
    signal: watch.stop.signal,
  });
}

function follow(runId: string, options: Pick<FollowOptions, 'known' | 'onView' | 'signal'>): void {
  void followRun({
    ...options,
    watch: async (after, signal) =>
      joinUpdates(await api.runs.watch({ id: runId, after }, { signal })),
    onProblem(problem) {
      // Show waiting views first, because a later view would clear the error.
      show([...waiting].filter(([id]) => id === runId));
      useLiveRuns.setState(({ problems }) => ({ problems: { ...problems, [runId]: problem } }));
    },
  });
}

function getKnownView(runId: string): RunView | null {
  return waiting.get(runId)?.view ?? useLiveRuns.getState().views[runId] ?? null;
}

function listKnownViews(): [runId: string, view: RunView][] {
  const waitingViews = [...waiting].map(([id, { view }]): [string, RunView] => [id, view]);
  return [...new Map([...Object.entries(useLiveRuns.getState().views), ...waitingViews])];
}

/** Each update shows at least this many runs, and at least an eighth of the waiting ones. */
const runsPerUpdate = 2;

const pace = createFlushPace(flush);

/** Batches further views into one store update. The last view of a run doesn't wait. */
function queue(runId: string, view: RunView, quietMs: number): void {
  waiting.set(runId, { view, dataAt: Date.now() - quietMs });
  if (isFinished(view.status)) pace.flushNow();
  else pace.flushSoon();
  if (isFinished(view.status) && renamedDuring.delete(runId)) watchAgain(runId);
}

/** Shows finished runs first. A run that changes again keeps its place in the queue. */
function flush(): void {
  const count = document.hidden
    ? waiting.size
    : Math.max(runsPerUpdate, Math.ceil(waiting.size / 8));
  const rank = ({ view }: { view: RunView }): number => (isFinished(view.status) ? 0 : 1);
  show([...waiting].sort(([, one], [, other]) => rank(one) - rank(other)).slice(0, count));
  if (waiting.size > 0) pace.flushSoon();
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

// The stream of a finished run doesn't report its deletion.
onChange((change) => {
  if (change !== null && change.topic !== 'runs') return;
  const { problems } = useLiveRuns.getState();
  for (const [runId, { status, media }] of listKnownViews()) {
    const watch = watches.get(runId);
    if ((change?.id ?? runId) !== runId || watch === undefined || runId in problems) continue;
    // After a reconnect, the media listener below refetches runs with files.
    if (isFinished(status) && (change !== null || media.length === 0)) startFollowing(watch, runId);
  }
});

// Undo may restore a deleted run, whose stream ended with an error.
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

// New prices change the estimated cost, but no event reports it.
onChange((change) => {
  if (change?.topic !== 'runs' || change.id !== null) return;
  const dropped = new Set<string>();
  for (const [runId, { status }] of listKnownViews()) {
    if (!isFinished(status)) continue;
    if (watches.has(runId)) watchAgain(runId);
    else dropped.add(runId);
  }
  dropViews(dropped);
});

// Renaming a file in the library also renames it in its run.
onChange((change) => {
  if (change !== null && change.topic !== 'media') return;
  const dropped = new Set<string>();
  for (const [runId, { status, media }] of listKnownViews()) {
    if (!media.some(({ id }) => (change?.id ?? id) === id)) continue;
    if (!isFinished(status)) renamedDuring.add(runId);
    // After a reconnect, any file may have a new name; unwatched runs are refetched when next
    // watched.
    else if (change === null && !watches.has(runId)) dropped.add(runId);
    else watchAgain(runId);
  }
  dropViews(dropped);
});

/** Refetches the view, which clears the error; follows the run only if it's being watched. */
export function watchAgain(runId: string): void {
  const watch = watches.get(runId);
  const stop = new AbortController();
  if (watch !== undefined) {
    watch.stop.abort();
    watch.stop = stop;
  }
  const before = getKnownView(runId);
  follow(runId, {
    known() {
      const known = getKnownView(runId);
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
