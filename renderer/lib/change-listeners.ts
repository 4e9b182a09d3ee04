import type { Change } from '../../shared/contract/system.ts';

type ChangeListener = (change: Change | null) => void;

const listeners = new Set<ChangeListener>();

/** For what is kept outside the queries: hears each change, and null after some may have been missed. Returns how to stop. */
export function onChange(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function announceChange(change: Change | null): void {
  for (const listener of listeners) listener(change);
}
