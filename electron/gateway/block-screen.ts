/** Screens a stream a network block at a time, so that single frames need no look while nothing is suspicious. */

export interface BlockScreen {
  /** Looks at the next block. Whether frames that are completed by it need a closer look. */
  look(text: string): boolean;
  /** A frame was completed: what is still open began in the latest block. */
  frameCompleted(): void;
}

/** `reach`: the longest text that `isSuspect` has to find where it lies across two blocks. */
export function createBlockScreen(
  isSuspect: (text: string) => boolean,
  reach: number,
): BlockScreen {
  let tail = '';
  let latest = false;
  let earlier = false;

  return {
    look(text) {
      earlier ||= latest;
      // A short block is looked at together with the end of the last one, a long one without a copy.
      const edge = tail + (text.length > 4 * reach ? text.slice(0, reach) : text);
      latest = isSuspect(edge) || (text.length > 4 * reach && isSuspect(text));
      tail = (text.length > reach ? text : tail + text).slice(-reach);
      return latest || earlier;
    },
    frameCompleted() {
      earlier = latest;
    },
  };
}
