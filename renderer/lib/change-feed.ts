import { hashKey, matchQuery, type QueryKey } from '@tanstack/react-query';
import type { Change } from '../../shared/contract/system.ts';
import { api, orpc } from './api.ts';
import { announceChange } from './change-listeners.ts';
import { waitForLink } from './link-state.ts';
import { pause } from './pause.ts';
import { queryClient } from './query-client.ts';

/** Changes within this time, which is less than a frame, share one refetch. */
const GATHER_MS = 15;

/** Refetches changed queries, or all queries after a reconnect, once per batch of changes. */
export async function followChanges(signal: AbortSignal): Promise<void> {
  const gathered = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function invalidate(keys: QueryKey[]): void {
    for (const key of keys) gathered.set(hashKey(key), key);
    if (gathered.size > 0) timer ??= setTimeout(flush, GATHER_MS);
  }

  function flush(): void {
    timer = undefined;
    const keys = [...gathered.values()];
    gathered.clear();
    void queryClient.invalidateQueries({
      predicate: (query) => keys.some((queryKey) => matchQuery({ queryKey }, query)),
    });
  }

  signal.addEventListener('abort', () => clearTimeout(timer));
  for (let first = true; !signal.aborted; first = false) {
    try {
      await waitForLink(signal);
      const changes = await api.system.changes(undefined, { signal });
      if (!first) {
        invalidate([everything]);
        announceChange(null);
      }
      for await (const change of changes) {
        invalidate(getKeys(change));
        announceChange(change);
      }
    } catch {
      if (!signal.aborted) await pause(500, signal);
    }
  }
}

const everything: QueryKey = [];

function getKeys({ topic, id }: Change): QueryKey[] {
  switch (topic) {
    case 'runs':
      return id === null
        ? [orpc.runs.key()]
        : [
            orpc.runs.list.key(),
            orpc.runs.activeCounts.key(),
            orpc.runs.get.key({ input: { id } }),
            orpc.runs.chain.key({ input: { id } }),
            orpc.runs.events.key({ input: { id } }),
          ];
    case 'conversations':
      return id === null
        ? [orpc.conversations.key()]
        : [orpc.conversations.list.key(), orpc.conversations.get.key({ input: { id } })];
    case 'connections':
      return [orpc.connections.list.key()];
    case 'models':
      return [
        ...(id === null
          ? [orpc.models.key()]
          : [
              orpc.models.suggest.key({ input: { connectionId: id } }),
              orpc.models.facts.key({ input: { connectionId: id } }),
              orpc.models.voices.key({ input: { connectionId: id } }),
            ]),
        orpc.prices.others.key(),
        orpc.runs.models.key(),
      ];
    case 'saved-items':
      return [orpc.saved.key()];
    case 'mcp':
      return [orpc.mcp.list.key(), orpc.mcp.log.key()];
    case 'mcp-activity':
      return [orpc.mcp.activity.key()];
    case 'updates':
      return [orpc.updates.key()];
    // Model suggestions include prices.
    case 'prices':
      return [orpc.prices.key(), orpc.models.key()];
    // Forms and comparisons are updated by their own streams.
    case 'forms':
      return [];
    case 'comparisons':
      return [orpc.comparisons.blind.key()];
    case 'checks':
      return [orpc.checks.list.key(), orpc.checks.get.key(), orpc.checks.hints.key()];
    case 'settings':
      return [orpc.settings.key()];
    case 'notices':
      return [orpc.system.info.key(), orpc.backups.waiting.key()];
    case 'media':
      return id === null
        ? [orpc.media.key()]
        : [orpc.media.list.key(), orpc.media.get.key({ input: { id } })];
  }
}
