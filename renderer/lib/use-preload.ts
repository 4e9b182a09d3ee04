import { useEffect, useEffectEvent } from 'react';
import { queryClient } from './query-client.ts';

/** Loads a part of the page while the page is idle and no query is fetching. */
export function usePreload(load: () => Promise<unknown>): void {
  const loadPart = useEffectEvent(load);
  useEffect(() => {
    let handle: number | null = null;
    const look = () => {
      if (handle !== null || queryClient.isFetching() > 0) return;
      stop();
      handle = requestIdleCallback(() => void loadPart());
    };
    const stop = queryClient.getQueryCache().subscribe(look);
    look();
    return () => {
      stop();
      if (handle !== null) cancelIdleCallback(handle);
    };
  }, []);
}
