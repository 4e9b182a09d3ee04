import { useMemo } from 'react';
import type { Exchange } from '../../../../shared/exchange.ts';
import { api } from '../../../lib/api.ts';
import { type RunPageSource, type RunPages, useRunPages } from '../../../run/live/use-run-pages.ts';

/** A task that is polled for days has thousands; main reads these in a few milliseconds. */
const pageSize = 100;

/** The exchanges of a run, live while it runs; finished ones are not fetched again. */
export function useExchanges(runId: string, standsAt: number): RunPages<Exchange[]> {
  const source = useMemo((): RunPageSource<Exchange[]> => {
    let known: Exchange[] = [];
    return {
      async fetchPage(after, signal) {
        const first = known.find(({ ending }) => ending === null) ?? known.at(-1);
        for (let from = first?.number ?? 0; ; ) {
          const page = { id: runId, from, limit: pageSize };
          const { exchanges, next } = await api.runs.exchanges(page, { signal });
          const [begin] = exchanges;
          if (begin) known = [...known.filter(({ number }) => number < begin.number), ...exchanges];
          if (next === null) return { content: known, last: after, more: false };
          from = next;
        }
      },
      join: (_before, all) => all,
    };
  }, [runId]);
  return useRunPages(source, standsAt);
}
