import { describe, expect, it } from 'vitest';
import { createVideoCache } from '../../electron/demo/media/video-cache.ts';
import type { FilmPlan } from '../../electron/demo/studio/worker/jobs.ts';

const MEGABYTE = 1024 * 1024;
const plan = (prompt: string): FilmPlan => ({
  prompt,
  width: 16,
  height: 16,
  seed: '1',
  durationSeconds: 1,
  fps: 1,
});

describe('film shelf', () => {
  it('makes one film at a time, each once', async () => {
    const open: string[] = [];
    let most = 0;
    const made: string[] = [];
    const shelf = createVideoCache(async ({ prompt }) => {
      open.push(prompt);
      most = Math.max(most, open.length);
      await Promise.resolve();
      open.pop();
      made.push(prompt);
      return new Uint8Array(1);
    });
    await Promise.all([
      shelf.film('1', plan('one')),
      shelf.film('2', plan('two')),
      shelf.film('1', plan('one')),
    ]);
    expect([most, made]).toEqual([1, ['one', 'two']]);
    expect(shelf.progress('2')).toBe('made');
    expect(shelf.progress('3')).toBe('making');
  });

  it('says why a film could not be made, and continues with the next', async () => {
    const shelf = createVideoCache(async ({ prompt }) => {
      if (prompt === 'bad') throw new Error('No more memory.');
      return new Uint8Array(1);
    });
    const bad = shelf.film('1', plan('bad'));
    const good = shelf.film('2', plan('good'));
    await expect(bad).rejects.toThrow('No more memory.');
    expect((await good).length).toBe(1);
    expect(shelf.progress('1')).toEqual({ failed: 'No more memory.' });
  });

  it('forgets the oldest films when they get too many, and makes them again on request', async () => {
    const made: string[] = [];
    const shelf = createVideoCache(async ({ prompt }) => {
      made.push(prompt);
      return new Uint8Array(100 * MEGABYTE);
    });
    for (const prompt of ['one', 'two', 'three']) await shelf.film(prompt, plan(prompt));
    await shelf.film('three', plan('three'));
    await shelf.film('one', plan('one'));
    expect(made).toEqual(['one', 'two', 'three', 'one']);
  });
});
