/** The signals that end Gatehouse, each Ctrl-C counted once. */

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof endSignals)[number];

/** What every host, and the launcher, says where the time to end in order has run out. */
export const SHUTDOWN_TIMEOUT_MESSAGE =
  'Gatehouse took too long to shut down. Some results may not be saved.';

/**
 * One Ctrl-C may arrive more than once: its terminal gives it to npm too, which passes it on; and where the shell between
 * them dies of it, `endWithParent` sends a SIGTERM. Only a SIGINT after so many turns of a timer is another one;
 * by the clock, what came while nothing else continued would be heard too late.
 */
const ECHO_TURNS = 5;
const TURN_MS = 100;

/** Calls `first` once, and `again` where the user presses Ctrl-C again. Returns a function that stops that. */
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
