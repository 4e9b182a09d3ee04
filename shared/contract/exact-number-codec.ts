/** How the messages of the link carry a number that JavaScript would round; both its ends are given this. */
import { ExactNumber } from '../exact-number.ts';

export const exactNumberCodec = {
  /** The link's own kinds of value have the numbers below. */
  type: 21,
  condition: (value: unknown) => value instanceof ExactNumber,
  serialize: String,
  deserialize: (source: unknown) => new ExactNumber(String(source)),
};
