import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFlushPace } from '../../renderer/run/live/flush-pace.ts';

const FRAME_MS = 16;

/** Simulates time on a page where slow work delays everything else. */
const page = {
  ...{ hidden: false, nowMs: 0, frames: 0 },
  due: new Map<number, { atMs: number; work: () => void }>(),
  onVisibility: (): void => undefined,
};
let lastId = 0;
const after = (work: () => void, ms: number) => {
  lastId += 1;
  page.due.set(lastId, { atMs: page.nowMs + ms, work });
  return lastId;
};
const cancel = (id: number) => page.due.delete(id);

/** Makes each render take this long after a change of the store, as React does. */
const take = (tookMs: number) =>
  queueMicrotask(() => {
    page.nowMs += tookMs;
  });

async function pass(ms: number): Promise<void> {
  const until = page.nowMs + ms;
  for (;;) {
    await new Promise((done) => setImmediate(done));
    const [next] = [...page.due].sort(([, one], [, other]) => one.atMs - other.atMs);
    if (next === undefined || next[1].atMs > until) break;
    page.due.delete(next[0]);
    page.nowMs = Math.max(page.nowMs, next[1].atMs);
    next[1].work();
  }
  page.nowMs = Math.max(page.nowMs, until);
}

beforeEach(() => {
  Object.assign(page, { hidden: false, nowMs: 0, frames: 0 });
  page.due.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => page.nowMs);
  vi.stubGlobal('setTimeout', after);
  vi.stubGlobal('clearTimeout', cancel);
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => {
    page.frames += 1;
    return after(work, FRAME_MS - (page.nowMs % FRAME_MS));
  });
  vi.stubGlobal('cancelAnimationFrame', cancel);
  vi.stubGlobal('document', {
    get hidden() {
      return page.hidden;
    },
    addEventListener: (_: string, listener: () => void) => {
      page.onVisibility = listener;
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Returns how long each of a second's updates waits if rendering one takes `tookMs`. */
async function waitsOf(gapMs: number, tookMs: number): Promise<number[]> {
  const waits: number[] = [];
  const waiting: number[] = [];
  const pace = createFlushPace(() => {
    for (const arrivedAt of waiting.splice(0)) waits.push(page.nowMs - arrivedAt);
    take(tookMs);
  });
  const count = Math.floor(1000 / gapMs);
  for (let at = 0; at < count; at += 1) {
    await pass(Math.max(0, at * gapMs - page.nowMs));
    if (waiting.length === 0) pace.flushSoon();
    waiting.push(page.nowMs);
  }
  await pass(2 * FRAME_MS);
  expect(waits).toHaveLength(count);
  return waits;
}

it.each([
  ['at once if the page has time', 6, 1.5, 0],
  ['in the next frame if the page has just shown others', 2, 1.5, FRAME_MS],
  ['no later than the next frame if the page is busy', 2, 20, FRAME_MS],
])('shows updates %s', async (_when, gapMs, tookMs, longestMs) => {
  const waits = await waitsOf(gapMs, tookMs);
  expect(Math.max(...waits)).toBeLessThanOrEqual(longestMs);
  if (longestMs === 0) expect(page.frames).toBe(0);
});

it('leaves a busy page time for other work between updates', async () => {
  let shows = 0;
  const tookMs = 10;
  const pace = createFlushPace(() => {
    shows += 1;
    take(tookMs);
  });
  for (let at = 0; at < 500; at += 1) {
    await pass(Math.max(0, at * 2 - page.nowMs));
    pace.flushSoon();
  }
  expect(shows * tookMs).toBeLessThan(700);
});

it('shows late updates in the next frame, or at once if the page becomes hidden', async () => {
  let shows = 0;
  const pace = createFlushPace(() => {
    shows += 1;
    if (shows === 1) pace.later();
  });
  pace.flushSoon();
  await pass(0);
  expect([shows, page.frames]).toEqual([1, 1]);
  page.hidden = true;
  page.onVisibility();
  expect(shows).toBe(2);
  pace.flushSoon();
  await pass(99);
  expect(shows).toBe(2);
  await pass(1);
  expect(shows).toBe(3);
});
