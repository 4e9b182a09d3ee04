import type { QueryKey } from '@tanstack/react-query';
import type { Change } from '../../shared/contract/system.ts';
import { api, orpc } from './api.ts';
import { linkOpen } from './link-state.ts';
import { pause } from './pause.ts';
import { queryClient } from './query-client.ts';

/** Asks again for what main says has changed, and for everything after a lost connection. */
export async function followChanges(signal: AbortSignal): Promise<void> {
  for (let first = true; !signal.aborted; first = false) {
    try {
      await linkOpen(signal);
      const changes = await api.system.changes(undefined, { signal });
      if (!first) void queryClient.invalidateQueries();
      for await (const change of changes) {
        for (const queryKey of keysOf(change)) void queryClient.invalidateQueries({ queryKey });
      }
    } catch {
      if (!signal.aborted) await pause(500, signal);
    }
  }
}

function keysOf({ topic, id }: Change): QueryKey[] {
  switch (topic) {
    case 'runs':
      return id === null
        ? [orpc.runs.key()]
        : [
            orpc.runs.list.key(),
            orpc.runs.get.key({ input: { id } }),
            orpc.runs.events.key({ input: { id } }),
          ];
    case 'conversations':
      return id === null
        ? [orpc.conversations.key()]
        : [orpc.conversations.list.key(), orpc.conversations.get.key({ input: { id } })];
    case 'connections':
      return [orpc.connections.key(), orpc.models.key()];
    case 'models':
      return [orpc.models.key()];
    case 'tools':
      return [orpc.tools.key()];
    case 'saved-requests':
      return [orpc.savedRequests.key()];
    case 'forms':
      return [];
    case 'settings':
      return [orpc.settings.key()];
    case 'notices':
      return [orpc.system.info.key()];
    case 'media':
      return id === null
        ? [orpc.media.key()]
        : [orpc.media.list.key(), orpc.media.get.key({ input: { id } })];
  }
}
