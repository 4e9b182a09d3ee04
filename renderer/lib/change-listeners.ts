import type { Change } from '../../shared/contract/system.ts';

type ChangeListener = (change: Change | null) => void;

const listeners = new Set<ChangeListener>();

/** Subscribes to changes and returns unsubscribe; null means that changes may have been missed. */
export function onChange(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function announceChange(change: Change | null): void {
  for (const listener of listeners) listener(change);
}
