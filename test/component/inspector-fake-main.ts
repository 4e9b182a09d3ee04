import type { RunUpdate } from '../../shared/contract/runs.ts';
import { getExchanges } from '../../shared/exchange.ts';
import type { RunEvent, RunEventKind, Timings } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { answerCalls } from './page-api.ts';
import { demo } from './params-fixtures.tsx';
import type { StandIn } from './stand-in.ts';

/** The runs of the fake main process, and the events of the displayed run. */
export const main = {
  runs: [] as RunView[],
  views: {} as Record<string, RunView>,
  events: [] as RunEvent[],
  /** IDs of comparisons whose variant names are hidden. */
  blind: [] as string[],
  removed: [] as string[],
  undone: [] as string[],
  /** How many pages of the list were fetched. */
  pagesListed: 0,
  /** The filters of the fetched pages. */
  filters: [] as Omit<ListQuery, 'before' | 'limit'>[],
  /** How many exchanges each call fetched. */
  exchangesFetched: [] as number[],
};

interface ListQuery {
  before: { id: string } | null;
  limit: number;
  search?: string | undefined;
  status: string | null;
  conversationId?: string | null | undefined;
}

interface EventQuery {
  after: number;
  limit: number;
  kinds: RunEventKind[] | null;
  exchange?: number | null | undefined;
}

export const api = {
  connections: { list: async () => [demo] },
  settings: { get: async () => defaultSettings },
  runs: {
    list: async ({ before, limit, ...filter }: ListQuery) => {
      main.pagesListed += 1;
      main.filters.push(filter);
      const from = before === null ? 0 : main.runs.findIndex(({ id }) => id === before.id) + 1;
      const to = from + limit;
      return { runs: main.runs.slice(from, to), comparisons: [], more: main.runs.length > to };
    },
    watch: async ({ id }: { id: string }) =>
      (async function* (): AsyncGenerator<RunUpdate> {
        const view = main.views[id];
        if (view !== undefined) yield { type: 'snapshot', seq: view.seq, view, quietMs: 0 };
      })(),
    events: async ({ after, limit, kinds, exchange }: EventQuery) => {
      const rest = main.events.filter(
        (event) =>
          event.seq > after &&
          (kinds === null || kinds.includes(event.kind)) &&
          (exchange == null || event.exchange === exchange),
      );
      return { events: rest.slice(0, limit), more: rest.length > limit };
    },
    exchanges: async ({ from, limit }: { from: number; limit: number }) => {
      const there = getExchanges(main.events).filter(({ number }) => number >= from);
      const exchanges = there.slice(0, limit);
      main.exchangesFetched.push(exchanges.length);
      return { exchanges, next: there[limit]?.number ?? null };
    },
    remove: async ({ id }: { id: string }) => {
      main.removed.push(id);
      return { deletionId: `deletion of ${id}` };
    },
  },
  comparisons: { blind: async () => main.blind },
  deletions: {
    undo: async ({ ids }: { ids: string[] }) => {
      main.undone.push(...ids);
      return { renamed: [], notes: [] };
    },
  },
} satisfies StandIn;

answerCalls(api);

export const timings: Timings = {
  startedAtMs: 0,
  dnsMs: 1,
  connectMs: 2,
  tlsMs: null,
  reusedSocket: false,
  sentAtMs: 5,
  headAtMs: 105,
  firstDeltaAtMs: 205,
  endAtMs: 1205,
  deltaCount: 40,
  gaps: { medianMs: 20, p95Ms: 30, maxMs: 400 },
  sentBytes: 120,
  receivedBytes: 4100,
};
