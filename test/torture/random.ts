/**
 * Numbers that a seed decides. What runs beside something else draws from a generator of its own, made for its place:
 * from a shared one, the clock would decide who draws what.
 */

export interface Random {
  /** From 0, below 1. */
  next(): number;
  /** Whole, from `least` to `most`. */
  between(least: number, most: number): number;
  /** True in `share` of all cases. */
  chance(share: number): boolean;
  of<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    of: (items) => items[between(0, items.length - 1)] ?? items[0],
  };
}

/** For one of several under the same seed, as the third job of a worker in a life of the host. */
export function randomAt(seed: number, ...place: number[]): Random {
  return createRandom(seedOf([seed, ...place].join('/')));
}

/** FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
