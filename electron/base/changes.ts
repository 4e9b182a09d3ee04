/** Notifies all open pages of changes, so that they refetch only the changed data. */
import type { Change } from '../../shared/contract/system.ts';

/** Maximum queued changes per topic before they are merged into one. */
const MAX_WAITING = 1000;

/** Identifies the port or socket of a page; undefined for a caller in this process. */
export type ChangeOrigin = object | undefined;

type Listener = (change: Change, parts: readonly string[] | null, from: ChangeOrigin) => void;

export interface ChangeEmitter {
  /** If only parts of the item changed, `parts` has their IDs; no `id` means any item. */
  announce(topic: Change['topic'], id?: string, parts?: readonly string[]): void;
  /** Announces a change to all pages except `from`, which gets the result in its response. */
  announceToOthers(from: ChangeOrigin, topic: Change['topic'], id: string): void;
  /** Calls the listener at each change, until the process ends. */
  listen(listener: Listener): void;
  /**
   * Yields changes until the signal aborts, except those from `link`. For a slow reader, merges
   * equal changes, and many changes of one topic into one.
   */
  subscribe(signal: AbortSignal | undefined, link?: ChangeOrigin): AsyncGenerator<Change, void>;
}

export function createChanges(): ChangeEmitter {
  const listeners = new Set<Listener>();
  function tell(change: Change, parts: readonly string[] | null, from: ChangeOrigin): void {
    for (const listener of listeners) listener(change, parts, from);
  }
  return {
    announce(topic: Change['topic'], id?: string, parts?: readonly string[]): void {
      tell({ topic, id: id ?? null }, parts ?? null, undefined);
    },
    announceToOthers(from: ChangeOrigin, topic: Change['topic'], id: string): void {
      tell({ topic, id }, null, from);
    },
    listen: (listener: Listener) => void listeners.add(listener),
    async *subscribe(
      signal: AbortSignal | undefined,
      link?: ChangeOrigin,
    ): AsyncGenerator<Change, void> {
      const waiting = new Map<string, Change>();
      let wake: () => void = () => undefined;
      const listener: Listener = (change, _parts, from) => {
        if (from !== undefined && from === link) return;
        mergeChange(waiting, change);
        wake();
      };
      const onAbort = () => wake();
      listeners.add(listener);
      signal?.addEventListener('abort', onAbort);
      try {
        while (!signal?.aborted) {
          const changes = [...waiting.values()];
          waiting.clear();
          yield* changes;
          if (waiting.size > 0 || signal?.aborted) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        listeners.delete(listener);
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}

function mergeChange(waiting: Map<string, Change>, change: Change): void {
  const { topic, id } = change;
  if (id !== null && waiting.size >= MAX_WAITING) {
    for (const [key, other] of waiting) if (other.topic === topic) waiting.delete(key);
    mergeChange(waiting, { topic, id: null });
  } else waiting.set(`${topic} ${id}`, change);
}
