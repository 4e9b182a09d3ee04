/** Ends the process cleanly on Ctrl-C and SIGTERM. */

/** What has not closed by then is left to the next start, which recovers it. */
const CLOSE_LIMIT_MS = 800;

export function endOnSignal(close: () => Promise<void>, log: (line: string) => void): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) process.exit(1);
    isEnding = true;
    setTimeout(() => process.exit(1), CLOSE_LIMIT_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log(`Gatehouse did not end cleanly: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
