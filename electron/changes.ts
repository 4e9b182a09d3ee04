/** Notifies every open page of what changed, so that it refetches only that. */
import type { Change } from '../shared/contract/system.ts';

export interface ChangeEmitter {
  /** `parts`: IDs of what changed in it, where nothing else did. */
  announce(topic: Change['topic'], id?: string, parts?: readonly string[]): void;
  /** At once, each time. */
  listen(listener: Listener): void;
  /** Each change once; equal changes that wait for a slow reader are joined, and very many of one topic to "several". */
  subscribe(signal: AbortSignal | undefined): AsyncGenerator<Change, void>;
}

/** More than this wait for no reader that still reads. */
const MAX_WAITING = 1000;

type Listener = (change: Change, parts: readonly string[] | null) => void;

export function createChanges(): ChangeEmitter {
  const listeners = new Set<Listener>();
  return {
    announce(topic, id, parts) {
      for (const listener of listeners) listener({ topic, id: id ?? null }, parts ?? null);
    },
    listen: (listener) => void listeners.add(listener),
    async *subscribe(signal) {
      const waiting = new Map<string, Change>();
      let wake: () => void = () => undefined;
      const listener = (change: Change) => {
        addTo(waiting, change);
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

function addTo(waiting: Map<string, Change>, change: Change): void {
  const { topic, id } = change;
  if (id !== null && waiting.size >= MAX_WAITING) {
    for (const [key, other] of waiting) if (other.topic === topic) waiting.delete(key);
    addTo(waiting, { topic, id: null });
  } else waiting.set(`${topic} ${id}`, change);
}
