/** Watches comparisons; components that show the same comparison share one stream. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { Cell, Comparison, Sending } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import type { ComparisonUpdate } from '../../../shared/contract/comparisons.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { onChange } from '../../lib/change-listeners.ts';
import { followUpdates } from '../../lib/follow-updates.ts';

export interface LiveComparison {
  comparison: Comparison;
  notes: ComparisonNotes;
  /** Sorted by position; a large comparison arrives in several updates. */
  cells: readonly Cell[];
  /** Null if no requests are held by a daily cap. */
  heldBy: AppError | null;
  sending: readonly Sending[];
}

interface LiveComparisons {
  views: Readonly<Record<string, LiveComparison>>;
  /** Errors of comparisons that can't be watched, such as deleted ones. */
  problems: Readonly<Record<string, AppError>>;
}

export const useLiveComparisons = create<LiveComparisons>(() => ({ views: {}, problems: {} }));

interface Watch {
  watchers: number;
  stop: AbortController;
}

const watches = new Map<string, Watch>();

/** Returns null until the comparison loads, or if the comparison was deleted. */
export function useComparison(id: string | null): LiveComparison | null {
  useEffect(() => (id === null ? undefined : watch(id)), [id]);
  return useLiveComparisons(({ views }) => (id === null ? null : (views[id] ?? null)));
}

export function useComparisonProblem(id: string | null): AppError | null {
  return useLiveComparisons(({ problems }) => (id === null ? null : (problems[id] ?? null)));
}

function watch(id: string): () => void {
  const known = watches.get(id);
  const one = known ?? { watchers: 0, stop: new AbortController() };
  one.watchers += 1;
  watches.set(id, one);
  if (known === undefined) void follow(id, one);
  return () => {
    one.watchers -= 1;
    if (one.watchers > 0) return;
    watches.delete(id);
    one.stop.abort();
    useLiveComparisons.setState(({ views }) => ({ views: without(views, id) }));
  };
}

function follow(id: string, { stop: { signal } }: Watch): Promise<void> {
  return followUpdates({
    watch: () => api.comparisons.watch({ id }, { signal }),
    onUpdate: (update) => accept(id, update),
    onProblem: (problem) =>
      useLiveComparisons.setState(({ views, problems }) => ({
        views: problem.kind === 'not-found' ? without(views, id) : views,
        problems: { ...problems, [id]: problem },
      })),
    signal,
  });
}

/** Call after an Undo that may have restored the comparison. */
export function watchComparisonAgain(id: string): void {
  const one = watches.get(id);
  if (one === undefined) return;
  one.stop.abort();
  one.stop = new AbortController();
  useLiveComparisons.setState(({ problems }) => ({ problems: without(problems, id) }));
  void follow(id, one);
}

onChange((change) => {
  if (change !== null && change.topic !== 'comparisons') return;
  for (const id of Object.keys(useLiveComparisons.getState().problems)) {
    if ((change?.id ?? id) === id) watchComparisonAgain(id);
  }
});

function accept(id: string, update: ComparisonUpdate): void {
  useLiveComparisons.setState(({ views, problems }) => {
    const before = views[id];
    const comparison = update.comparison ?? before?.comparison;
    const notes = update.notes ?? before?.notes;
    if (comparison === undefined || notes === undefined) return {};
    const cells = [...(before?.cells ?? [])];
    for (const cell of update.cells) cells[cell.place] = cell;
    const { heldBy, sending } = update;
    return {
      views: { ...views, [id]: { comparison, notes, cells, heldBy, sending } },
      problems: id in problems ? without(problems, id) : problems,
    };
  });
}

function without<Value>(all: Readonly<Record<string, Value>>, id: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== id));
}

export const blindLabel = 'Hidden while Blind is on';

type OfComparison = Pick<RunSummary, 'comparisonId'>;

/** Treats all comparisons as blind until the main process has returned the blind IDs. */
export function useIsBlind(): (run: OfComparison) => boolean {
  const { data } = useQuery(orpc.comparisons.blind.queryOptions());
  return useCallback(
    ({ comparisonId }) => comparisonId !== null && (data?.includes(comparisonId) ?? true),
    [data],
  );
}

/** Hides the model, connection and input of runs in blind comparisons. */
export function useBlindRuns(runs: RunSummary[]): RunSummary[] {
  const isBlind = useIsBlind();
  return useMemo(
    () => runs.map((run) => (isBlind(run) ? withoutNames(run) : run)),
    [runs, isBlind],
  );
}

function withoutNames(run: RunSummary): RunSummary {
  return { ...run, model: blindLabel, connectionName: '', preview: '', error: null };
}
