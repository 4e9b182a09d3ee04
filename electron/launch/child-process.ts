/** What the launcher's child processes have in common: they end with it. */
import type { ChildProcess } from 'node:child_process';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Kills the child when a signal ends this process, after `cleanUp`. Returns a function that stops that. */
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

/** Ends what npm started when npm is ended. */

const CHECK_MS = 200;

/**
 * npm hands SIGTERM to the shell it starts scripts with, and most shells end without passing it on:
 * only the new parent of this process shows it.
 */
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
