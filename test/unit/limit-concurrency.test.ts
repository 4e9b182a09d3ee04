import { expect, it } from 'vitest';
import { limitConcurrency } from '../../electron/media/limit-concurrency.ts';

it('starts work in order and within the limit, even after a failure', async () => {
  const run = limitConcurrency(2);
  const started: number[] = [];
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const results = works.map(({ promise }, at) =>
    run(() => {
      started.push(at);
      return promise;
    }),
  );
  expect(started).toEqual([0, 1]);
  works[1]?.reject(new Error('no'));
  await expect(results[1]).rejects.toThrow('no');
  expect(started).toEqual([0, 1, 2]);
  works.forEach(({ resolve }, at) => void resolve(at));
  expect(await Promise.all(results.filter((_, at) => at !== 1))).toEqual([0, 2, 3]);
  expect(started).toEqual([0, 1, 2, 3]);
});
