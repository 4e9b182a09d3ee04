/** Logs when the main process's thread, which also moves the window, was busy for too long. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { App, PowerMonitor } from 'electron';
import type { Timer } from '../base/timer.ts';

export interface DelayLogOptions {
  app: Pick<App, 'on'>;
  power: Pick<PowerMonitor, 'on'>;
  timer: Timer;
  log: (line: string) => void;
  delays: DelayMonitor;
}

export type DelayMonitor = Pick<IntervalHistogram, 'enable' | 'disable' | 'max' | 'reset'>;

/** A shorter delay isn't noticed. */
const NOTICED_MS = 100;
/** Wakes the processor 50 times a second, so it runs only while a window has the focus. */
const RESOLUTION_MS = 20;
const REPORT_MS = 5_000;

export function logDelays({ app, power, timer, log, delays }: DelayLogOptions): void {
  let stopTimer: (() => void) | null = null;
  let isFocused = false;

  function report(): void {
    // The histogram measures the time between two timers, which are this far apart.
    const busyMs = Math.round(delays.max / 1e6) - RESOLUTION_MS;
    if (busyMs > NOTICED_MS) log(`the main thread was busy for ${busyMs} ms`);
    delays.reset();
  }

  function follow(): void {
    stopTimer = timer.after(REPORT_MS, () => {
      report();
      follow();
    });
  }

  function start(): void {
    if (stopTimer !== null || !isFocused) return;
    delays.enable();
    delays.reset();
    follow();
  }

  app.on('browser-window-focus', () => {
    isFocused = true;
    start();
  });
  app.on('browser-window-blur', () => {
    isFocused = false;
    stop();
  });
  app.on('quit', stop);
  // On macOS and Windows the clock runs on during sleep, which would count as a delay of hours.
  power.on('suspend', stop);
  power.on('resume', start);

  function stop(): void {
    if (stopTimer === null) return;
    stopTimer();
    stopTimer = null;
    report();
    delays.disable();
  }
}

export function createDelayMonitor(): DelayMonitor {
  return monitorEventLoopDelay({ resolution: RESOLUTION_MS });
}
