import { expect, it } from 'vitest';
import { createValueCounter } from '../../electron/base/count-json-values.ts';

const count = (...pieces: string[]) => {
  const add = createValueCounter();
  return pieces.map((piece) => add(Buffer.from(piece))).at(-1);
};

it.each([
  ['an array', ['[1,2,[],{"a":3}]'], 6],
  ['strings with marks', ['["[{,",{"a,":"\\",[\\\\"},0]'], 4],
  ['strings in pieces', ['["[', ',\\', '",[', '",0]'], 2],
  ['lines before which a string didn’t end', ['data: "\n', '[0,0]'], 2],
  ['an escape at the end of a line', ['"\\\r[0,0]'], 2],
])('counts commas and opening brackets of %s', (_, pieces, expected) => {
  expect(count(...pieces)).toBe(expected);
});
