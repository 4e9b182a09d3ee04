import { useEffect } from 'react';
import { importPart } from './import-part.ts';
import { queryClient } from './query-client.ts';

/** Calls `load` when the page is idle and no query is fetching. */
export function usePreload(load: (() => Promise<unknown>) | null): void {
  useEffect(() => {
    if (load === null) return;
    let handle: number | null = null;
    const look = () => {
      if (handle !== null || queryClient.isFetching() > 0) return;
      stop();
      handle = requestIdleCallback(() => void importPart(load).catch(() => undefined));
    };
    const stop = queryClient.getQueryCache().subscribe(look);
    look();
    return () => {
      stop();
      if (handle !== null) cancelIdleCallback(handle);
    };
  }, [load]);
}
