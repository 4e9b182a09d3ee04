/** Notifies every open page of changes, so that each page refetches only the changed data. */
import type { Change } from '../shared/contract/system.ts';

export type ChangeEmitter = ReturnType<typeof createChanges>;

/** Changes of a topic beyond this number are merged. */
const MAX_WAITING = 1000;

type Listener = (change: Change, parts: readonly string[] | null) => void;

export function createChanges() {
  const listeners = new Set<Listener>();
  return {
    /** `parts` are the IDs of the changed parts if the rest of the item is unchanged. */
    announce(topic: Change['topic'], id?: string, parts?: readonly string[]): void {
      for (const listener of listeners) listener({ topic, id: id ?? null }, parts ?? null);
    },
    listen: (listener: Listener) => void listeners.add(listener),
    /** Merges equal changes for a slow reader, and many changes of one topic into one. */
    async *subscribe(signal: AbortSignal | undefined): AsyncGenerator<Change, void> {
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
