import type { PersistStorage, StorageValue } from 'zustand/middleware';

const delayMs = 400;

/**
 * Keeps a store in localStorage a moment after it changed, for texts that are too long to be
 * written with every key. What does not fit is left out: it lasts as long as the page. `reduced`
 * answers the part that is worth keeping then.
 */
export function lazyStorage<State>(reduced?: (state: State) => State): PersistStorage<State> {
  const waiting = new Map<string, StorageValue<State>>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  function write(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const [name, value] of waiting) {
      if (written(name, value)) continue;
      if (reduced === undefined) localStorage.removeItem(name);
      else written(name, { ...value, state: reduced(value.state) });
    }
    waiting.clear();
  }

  addEventListener('pagehide', write);
  return {
    getItem(name) {
      const text = localStorage.getItem(name);
      try {
        return text === null ? null : (JSON.parse(text) as StorageValue<State>);
      } catch {
        return null;
      }
    },
    setItem(name, value) {
      waiting.set(name, value);
      timer ??= setTimeout(write, delayMs);
    },
    removeItem(name) {
      waiting.delete(name);
      localStorage.removeItem(name);
    },
  };
}

/** Writes it, where there is room; what stood there stays otherwise. */
function written(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
