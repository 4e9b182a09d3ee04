/** Ends what npm started when npm is ended. */

const CHECK_MS = 200;

/**
 * npm hands SIGTERM to the shell it starts scripts with, and most shells end without passing it on:
 * only the new parent of this process shows it.
 */
export function endWithParent(): void {
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
