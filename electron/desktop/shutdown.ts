/** On sleep, wake-up and quit, flushes results, stops runs and releases the data folder. */
import { app, type BrowserWindow, powerMonitor } from 'electron';
import { systemTimer, type Timer } from '../base/timer.ts';
import { SHUTDOWN_TIMEOUT_MESSAGE } from '../launch/signals.ts';
import { CLOSE_LIMIT_MS, type Services } from '../services.ts';

export interface ShutdownOptions {
  services: Pick<Services, 'close' | 'wake'> & { ledger: Pick<Services['ledger'], 'flush'> };
  closePorts: () => void;
  /** Starts the program that takes over, once nothing holds the data folder. */
  startSuccessor: (path: string) => void;
  onSessionEnd: () => void;
  log: (line: string) => void;
  timer?: Timer;
}

export interface Shutdown {
  /** Returns true once the app is quitting. */
  isLeaving(): boolean;
  quit(): void;
  /** Starts this program when the app has closed. */
  relaunch(path: string): void;
  /** Windows ends a session, and then this process, without emitting an event on `app`. */
  watchSession(window: BrowserWindow): void;
}

export function prepareShutdown(options: ShutdownOptions): Shutdown {
  const { services, log, timer = systemTimer } = options;
  let leaving = false;
  let state: 'open' | 'closing' | 'closed' = 'open';
  let successor: string | null = null;

  /** Flush synchronously, because the system may not wait. */
  function flush(): void {
    if (state !== 'closed') services.ledger.flush();
  }

  function finishClosing(): void {
    if (state === 'closed') return;
    state = 'closed';
    if (successor !== null) {
      app.releaseSingleInstanceLock();
      try {
        options.startSuccessor(successor);
      } catch (cause) {
        log(`starting ${successor}: ${String(cause)}`);
      }
    }
    // The app emits `before-quit` and `will-quit` again, and then quits.
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
      finishClosing();
    });
    services
      .close()
      .catch((cause: unknown) => log(`closing: ${String(cause)}`))
      .finally(() => {
        stopTimer();
        finishClosing();
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
    relaunch(path) {
      successor = path;
    },
    watchSession(window) {
      window.on('session-end', () => {
        flush();
        options.onSessionEnd();
      });
    },
  };
}
