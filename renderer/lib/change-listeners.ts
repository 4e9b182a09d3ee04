import type { Change } from '../../shared/contract/system.ts';

type ChangeListener = (change: Change | null) => void;

const listeners = new Set<ChangeListener>();

/** Subscribes to changes. The listener gets null if changes may be missing. Returns unsubscribe. */
export function onChange(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function announceChange(change: Change | null): void {
  for (const listener of listeners) listener(change);
}
