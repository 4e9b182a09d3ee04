import { expect, it } from 'vitest';
import { isSameJson } from '../../shared/json.ts';

it.each([
  [{ type: 'image', mediaId: 'a' }, { mediaId: 'a', type: 'image' }, true],
  [[{ a: 1 }, null], [{ a: 1 }, null], true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1], { 0: 1 }, false],
  [[1, 2], [1], false],
  [null, {}, false],
])('compares %j and %j by value: %s', (one, other, isSame) => {
  expect(isSameJson(one, other)).toBe(isSame);
});
