/**
 * Replaces `zustand` in every component test (vitest.config.ts), to put the stores of the page back before each file: the
 * files share a page.
 */
import { create as createStore, useStore as useAnyStore } from 'zustand/react';
import type { StateCreator, StoreApi } from 'zustand/vanilla';

/** @public The page imports it by the alias. */
export const useStore = useAnyStore;

const stores = new Set<StoreApi<unknown>>();

function register(initializer?: StateCreator<unknown>): unknown {
  // In two calls, as with middleware.
  if (initializer === undefined) return register;
  const store = createStore(initializer);
  stores.add(store);
  return store;
}

/** @public The page imports it by the alias. */
export const create = register as typeof createStore;

export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true);
}
