/** Serializes exact numbers in messages between the page and the main process. */
import { ExactNumber } from '../exact-number.ts';

export const exactNumberCodec = {
  /** Lower type numbers are reserved for built-in types. */
  type: 21,
  condition: (value: unknown) => value instanceof ExactNumber,
  serialize: String,
  deserialize: (source: unknown) => new ExactNumber(String(source)),
};
