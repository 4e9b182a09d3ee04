import { useEffect } from 'react';

/** Loads what the user is likely to need next, once the page has nothing else to do. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const handle = requestIdleCallback(() => void load().catch(() => undefined));
    return () => cancelIdleCallback(handle);
  }, [load]);
}
