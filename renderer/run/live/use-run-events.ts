import { useMemo } from 'react';
import type { RunEvent, RunEventKind } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { useRunPart } from './live-runs.ts';
import { type RunPageSource, useRunPages } from './use-run-pages.ts';

const pageSize = 1000;

const none: RunEvent[] = [];

/** Loads a run's or exchange's events, with live updates; `kinds` must be referentially stable. */
export function useRunEvents(
  runId: string,
  standsAt: number,
  kinds: readonly RunEventKind[],
  exchange: number | null = null,
) {
  const redactions = useRunPart(runId, (view) => view.redactions) ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: events that were masked are read again.
  const source = useMemo(
    (): RunPageSource<RunEvent[]> => ({
      async fetchPage(after, signal) {
        const query = { id: runId, after, limit: pageSize, kinds: [...kinds], exchange };
        const { events, more } = await api.runs.events(query, { signal });
        return { content: events, last: events.at(-1)?.seq ?? after, more };
      },
      join: (before, page) => (page.length > 0 ? [...(before ?? none), ...page] : (before ?? none)),
    }),
    [runId, kinds, exchange, redactions],
  );
  const { content, problem, retry } = useRunPages(source, standsAt);
  /** `isRead` is false until the first page has loaded. */
  return { events: content ?? none, isRead: content !== null, problem, retry };
}
