/** Whether Gatehouse has started: once its window is shown and its page has connected, or never. */

export interface StartUp {
  windowShown(): void;
  pageConnected(): void;
  isReady(): boolean;
  /** What went wrong with the page; false if Gatehouse had started before. */
  failed(reason: string): boolean;
  /** Gatehouse is about to quit, for whatever reason. */
  quitting(): void;
}

export interface StartUpOptions {
  onReady: () => void;
  /** Called once, with the end of a sentence. */
  onFailure: (reason: string) => void;
  /** Called where it is quit before it has started or failed. */
  onClosed: () => void;
}

export function watchStartUp({ onReady, onFailure, onClosed }: StartUpOptions): StartUp {
  const awaited = new Set(['window', 'page']);
  let state: 'starting' | 'ready' | 'failed' | 'closed' = 'starting';

  function came(part: string): void {
    awaited.delete(part);
    if (state !== 'starting' || awaited.size > 0) return;
    state = 'ready';
    onReady();
  }

  return {
    windowShown: () => came('window'),
    pageConnected: () => came('page'),
    isReady: () => state === 'ready',
    failed(reason) {
      if (state === 'ready') return false;
      if (state === 'starting') {
        state = 'failed';
        onFailure(reason);
      }
      return true;
    },
    quitting() {
      if (state !== 'starting') return;
      state = 'closed';
      onClosed();
    },
  };
}
