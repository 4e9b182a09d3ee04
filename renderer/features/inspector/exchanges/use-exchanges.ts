import { useMemo } from 'react';
import type { Exchange } from '../../../../shared/exchange.ts';
import { api } from '../../../lib/api.ts';
import { type RunPageSource, type RunPages, useRunPages } from '../../../run/live/use-run-pages.ts';

/** The exchanges of a run, following it while it goes on; those that are over are not fetched again. */
export function useExchanges(runId: string, standsAt: number): RunPages<Exchange[]> {
  const source = useMemo((): RunPageSource<Exchange[]> => {
    let known: Exchange[] = [];
    return {
      async fetchPage(after, signal) {
        const from = (known.find(({ ending }) => ending === null) ?? known.at(-1))?.number ?? 0;
        const fresh = await api.runs.exchanges({ id: runId, from }, { signal });
        known = [...known.filter(({ number }) => number < from), ...fresh];
        return { content: known, last: after, more: false };
      },
      join: (_before, all) => all,
    };
  }, [runId]);
  return useRunPages(source, standsAt);
}
