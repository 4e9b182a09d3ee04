/** Handles signals that end Gatehouse and its child processes. */
import type { ChildProcess } from 'node:child_process';

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof endSignals)[number];

export const SHUTDOWN_TIMEOUT_MESSAGE =
  'Gatehouse took too long to shut down. Some results may not be saved.';

/**
 * npm forwards Ctrl-C a second time, so only a SIGINT after this many timer ticks is a second
 * press.
 */
const ECHO_TURNS = 5;
const TURN_MS = 100;

/** Calls `again` on a second Ctrl-C; returns a function that removes the listeners. */
export function onEndSignal(first: (signal: EndSignal) => void, again: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let turns = 0;
  const listener = (signal: EndSignal): void => {
    if (timer === null) {
      timer = setInterval(() => {
        turns += 1;
        if (turns >= ECHO_TURNS) clearInterval(timer ?? undefined);
      }, TURN_MS).unref();
      first(signal);
    } else if (signal === 'SIGINT' && turns >= ECHO_TURNS) again();
  };
  for (const signal of endSignals) process.on(signal, listener);
  return () => {
    clearInterval(timer ?? undefined);
    for (const signal of endSignals) process.off(signal, listener);
  };
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * On a signal, kills the child and calls `cleanUp`; returns a function that removes the listeners.
 */
export function killOnExit(child: ChildProcess, cleanUp: () => void = () => undefined): () => void {
  const onSignal = (signal: keyof typeof EXIT_CODES): void => {
    child.kill('SIGKILL');
    cleanUp();
    process.exit(EXIT_CODES[signal]);
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  return () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
}

const CHECK_MS = 200;

/** Exits with the parent, because npm signals only the shell, which may not forward the signal. */
export function exitWithParent(): void {
  const startedByNpm = process.env.npm_lifecycle_event !== undefined;
  if (process.platform === 'win32' || !startedByNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS);
  timer.unref();
}
