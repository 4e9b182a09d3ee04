import { expect, it } from 'vitest';
import { type Random, randomAt } from '../fixtures/random.ts';

const three = (random: Random) => [random.next(), random.next(), random.next()];

it('a place under a seed has the same numbers whoever draws meanwhile, and each place others', () => {
  const [one, other] = [randomAt(7, 1, 2), randomAt(7, 1, 2)];
  const first = one.next();
  three(randomAt(7, 1, 3));
  expect([first, one.next(), one.next()]).toEqual(three(other));
  const places = [[7], [8], [7, 1], [7, 2], [7, 1, 2], [7, 2, 1], [7, 12], [7, 1, 2, 0]] as const;
  const drawn = places.map(([seed, ...place]) => three(randomAt(seed, ...place)).join());
  expect(new Set(drawn).size).toBe(places.length);
});
