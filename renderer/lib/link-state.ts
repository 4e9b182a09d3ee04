import { create } from 'zustand';

/**
 * `connecting`: at first; `open`; `lost`: trying again by itself; `refused`: the session is gone
 * and only the user can open the page again.
 */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused';

export const useLinkState = create<LinkState>(() => 'connecting');

/** Nothing that main says or does reaches the page now. */
export function useIsDisconnected(): boolean {
  return useLinkState((link) => link === 'lost' || link === 'refused');
}

/** Resolves once the page can call main; rejects when `signal` aborts. */
export function linkOpen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (useLinkState.getState() === 'open') return resolve();
    const stop = useLinkState.subscribe((state) => {
      if (state === 'open') settle(resolve);
    });
    const aborted = () => settle(() => reject(signal.reason));
    const settle = (then: () => void) => {
      stop();
      signal.removeEventListener('abort', aborted);
      then();
    };
    signal.addEventListener('abort', aborted);
  });
}
