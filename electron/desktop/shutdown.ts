/** How the application sleeps, wakes and ends: what arrived is written, the runs are stopped, the folder is freed. */
import { app, type BrowserWindow, powerMonitor } from 'electron';
import { SHUTDOWN_TIMEOUT_MESSAGE } from '../launch/end-signals.ts';
import { CLOSE_LIMIT_MS, type Services } from '../services.ts';
import { systemTimer, type Timer } from '../storage/timer.ts';

export interface ShutdownOptions {
  services: Pick<Services, 'close' | 'wake'> & { ledger: Pick<Services['ledger'], 'flush'> };
  /** Lets go of what the page still holds. */
  closePorts: () => void;
  log: (line: string) => void;
  timer?: Timer;
}

export interface Shutdown {
  /** Whether the application is on its way out. */
  isLeaving(): boolean;
  quit(): void;
  /** Windows ends a session without a word to `app`. */
  watchSession(window: BrowserWindow): void;
}

export function prepareShutdown(options: ShutdownOptions): Shutdown {
  const { services, log, timer = systemTimer } = options;
  let leaving = false;
  let state: 'open' | 'closing' | 'closed' = 'open';

  /** Synchronously: the system may not wait for more. */
  function flush(): void {
    if (state !== 'closed') services.ledger.flush();
  }

  function closed(): void {
    if (state === 'closed') return;
    state = 'closed';
    // Goes through `before-quit` and `will-quit` once more, and then ends.
    app.quit();
  }

  app.on('before-quit', () => {
    leaving = true;
    flush();
  });
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    options.closePorts();
    const stopTimer = timer.after(CLOSE_LIMIT_MS, () => {
      log(SHUTDOWN_TIMEOUT_MESSAGE);
      closed();
    });
    services
      .close()
      .catch((cause: unknown) => log(`closing: ${String(cause)}`))
      .finally(() => {
        stopTimer();
        closed();
      });
  });
  powerMonitor.on('suspend', flush);
  powerMonitor.on('resume', () => {
    if (state === 'open') services.wake();
  });
  powerMonitor.on('shutdown', flush);

  return {
    isLeaving: () => leaving,
    quit() {
      leaving = true;
      app.quit();
    },
    watchSession: (window) => window.on('session-end', flush),
  };
}
