/** A child that must not outlive this process when it is told to end. */
import type { ChildProcess } from 'node:child_process';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Returns what lifts the tie. `cleanUp` runs before the process ends. */
export function endWithUs(child: ChildProcess, cleanUp: () => void = () => undefined): () => void {
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
