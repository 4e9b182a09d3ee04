/** The part of a key that may be shown; of a short key four characters would tell too much. */
const SHORTEST_SHOWN = 12;

export function lastFourOf(key: string): string {
  return key.length < SHORTEST_SHOWN ? '' : key.slice(-4);
}
