import { useEffect } from 'react';
import { loadPart } from './load-part.ts';
import { queryClient } from './query-client.ts';

/** Loads what the user is likely to need next, once main has answered and the page has nothing else to do; null: nothing. */
export function usePreload(load: (() => Promise<unknown>) | null): void {
  useEffect(() => {
    if (load === null) return;
    let handle: number | null = null;
    const look = () => {
      if (handle !== null || queryClient.isFetching() > 0) return;
      stop();
      handle = requestIdleCallback(() => void loadPart(load).catch(() => undefined));
    };
    const stop = queryClient.getQueryCache().subscribe(look);
    look();
    return () => {
      stop();
      if (handle !== null) cancelIdleCallback(handle);
    };
  }, [load]);
}
