import { create } from 'zustand';

/** `lost`: reconnects automatically; `refused`: the session ended, and a new page is needed. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused';

export const useLinkState = create<LinkState>(() => 'connecting');

/** Returns true if the page can't reach the main process. */
export function useIsDisconnected(): boolean {
  return useLinkState((link) => link === 'lost' || link === 'refused');
}

/** Resolves once the page can call the main process; rejects if `signal` aborts. */
export function waitForLink(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (useLinkState.getState() === 'open') return resolve();
    const stop = useLinkState.subscribe((state) => {
      if (state === 'open') settle(resolve);
    });
    const rejectAborted = () => settle(() => reject(signal.reason));
    const settle = (then: () => void) => {
      stop();
      signal.removeEventListener('abort', rejectAborted);
      then();
    };
    signal.addEventListener('abort', rejectAborted);
  });
}
