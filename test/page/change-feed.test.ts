import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Change } from '../../shared/contract/system.ts';

const feeds = vi.hoisted(() => [] as { push: (change: Change) => void; drop: () => void }[]);
const fetched = vi.hoisted(() => [] as string[]);

vi.mock('../../renderer/lib/api.ts', async () => {
  const { createTanstackQueryUtils } = await import('@orpc/tanstack-query');
  const noted = (name: string) => async (input?: unknown) => {
    fetched.push(name);
    return { name, input };
  };
  const notedAll = (router: string, names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, noted(`${router}.${name}`)]));
  const api = {
    system: { ...notedAll('system', 'info'), changes: async () => feedOfMain() },
    runs: notedAll('runs', 'list activeCounts get chain events models'),
    conversations: notedAll('conversations', 'list get'),
    models: notedAll('models', 'suggest facts voices'),
    prices: notedAll('prices', 'list others'),
    comparisons: notedAll('comparisons', 'blind'),
  };
  return { api, orpc: createTanstackQueryUtils(api as never) };
});

async function* feedOfMain(): AsyncGenerator<Change> {
  const waiting: Change[] = [];
  let wake = () => {};
  let dropped = false;
  feeds.push({
    push: (change) => {
      waiting.push(change);
      wake();
    },
    drop: () => {
      dropped = true;
      wake();
    },
  });
  for (;;) {
    yield* waiting.splice(0);
    if (dropped) throw new Error('the link was lost');
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

import { orpc } from '../../renderer/lib/api.ts';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient, updateOptimistically } from '../../renderer/lib/query-client.ts';

beforeEach(async () => {
  vi.useFakeTimers();
  queryClient.clear();
  feeds.length = 0;
  useLinkState.setState('open', true);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  await pass(0);
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const conversation = (id: string) => orpc.conversations.get.queryOptions({ input: { id } });
const list = orpc.conversations.list.queryOptions({ input: { search: '', limit: 500 } });

const suggest = (connectionId: string) =>
  orpc.models.suggest.queryOptions({ input: { connectionId, operation: 'chat' } });

/** Shows the queries on the page and waits for their first fetch. */
async function show(...queries: { queryKey: readonly unknown[]; staleTime?: 'static' }[]) {
  for (const query of queries) {
    onTestFinished(new QueryObserver(queryClient, query as never).subscribe(() => undefined));
  }
  await pass(0);
  fetched.length = 0;
}

function announce(topic: Change['topic'], id: string | null): void {
  feeds.at(-1)?.push({ topic, id });
}

describe('the change feed', () => {
  it('refetches a query once for several changes', async () => {
    await show(list, conversation('a'), conversation('b'));
    announce('conversations', 'a');
    await pass(5);
    announce('conversations', 'a');
    announce('conversations', null);
    await pass(100);
    const gets = ['conversations.get', 'conversations.get'];
    expect(fetched.sort()).toEqual([...gets, 'conversations.list']);
  });

  it('refetches the counts of active runs when a run changes', async () => {
    await show(orpc.runs.activeCounts.queryOptions());
    announce('conversations', 'a');
    await pass(100);
    expect(fetched).toEqual([]);
    announce('runs', 'a');
    await pass(100);
    expect(fetched).toEqual(['runs.activeCounts']);
  });

  it('refetches only changed queries', async () => {
    await show(list, conversation('a'), conversation('b'));
    announce('conversations', 'a');
    await pass(100);
    expect(fetched.sort()).toEqual(['conversations.get', 'conversations.list']);
    fetched.length = 0;
    announce('runs', 'a');
    await pass(100);
    expect(fetched).toEqual([]);
  });

  it('refetches the models of the changed connection only', async () => {
    await show(suggest('a'), suggest('b'));
    announce('models', 'a');
    await pass(100);
    expect(fetched).toEqual(['models.suggest']);
  });

  it('refetches suggested models when a price changes, because they include it', async () => {
    await show(suggest('a'));
    announce('prices', null);
    await pass(100);
    expect(fetched).toEqual(['models.suggest']);
  });

  it('refetches blind comparisons when one changes', async () => {
    await show(list, orpc.comparisons.blind.queryOptions());
    announce('comparisons', 'a');
    await pass(100);
    expect(fetched).toEqual(['comparisons.blind']);
  });

  it('refetches everything except static queries once after reconnecting', async () => {
    const info = { ...orpc.system.info.queryOptions(), staleTime: 'static' as const };
    await show(list, conversation('a'), info);
    useLinkState.setState('lost', true);
    feeds.at(-1)?.drop();
    await pass(2000);
    expect(fetched).toEqual([]);
    useLinkState.setState('open', true);
    await pass(0);
    announce('conversations', 'a');
    await pass(1000);
    expect(feeds).toHaveLength(2);
    expect(fetched.sort()).toEqual(['conversations.get', 'conversations.list']);
  });
});

describe('a response from the main process', () => {
  it('updates the query immediately', async () => {
    await show(list);
    updateOptimistically(list.queryKey, () => 'changed');
    expect(queryClient.getQueryData(list.queryKey)).toBe('changed');
    expect(fetched).toEqual([]);
  });

  it('keeps a stale query stale', async () => {
    await queryClient.fetchQuery(conversation('a'));
    announce('conversations', 'a');
    await pass(100);
    updateOptimistically(conversation('a').queryKey, () => 'changed');
    await show();
    const shown = new QueryObserver(queryClient, conversation('a'));
    onTestFinished(shown.subscribe(() => undefined));
    await pass(0);
    expect(fetched).toEqual(['conversations.get']);
  });
});
