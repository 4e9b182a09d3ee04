import { useEffect, useEffectEvent } from 'react';
import { queryClient } from './query-client.ts';

/** Nobody needs another part this soon, and loading it would delay the first click or key. */
const DELAY_MS = 1000;

/** Loads a part of the page once no query is fetching and the page has been idle. */
export function usePreload(load: () => Promise<unknown>): void {
  const loadPart = useEffectEvent(load);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let idle: number | null = null;
    const look = () => {
      if (timer !== null || queryClient.isFetching() > 0) return;
      stop();
      timer = setTimeout(() => {
        idle = requestIdleCallback(() => void loadPart());
      }, DELAY_MS);
    };
    const stop = queryClient.getQueryCache().subscribe(look);
    look();
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
      if (idle !== null) cancelIdleCallback(idle);
    };
  }, []);
}
