import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFlushPace } from '../../renderer/run/live/flush-pace.ts';

const FRAME_MS = 16;

/** Simulates time on a page where slow work delays everything else. */
const page = {
  hidden: false,
  nowMs: 0,
  frames: 0,
  /** How long style, layout and paint take in each frame. */
  paintMs: 0,
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

/** Delivers a message after the frame in which it was posted. */
class ChannelAfterPaint {
  readonly port1: { onmessage: (() => void) | null } = { onmessage: null };
  readonly port2 = {
    postMessage: () => {
      page.nowMs += page.paintMs;
      after(() => this.port1.onmessage?.(), 0);
    },
  };
}

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
  Object.assign(page, { hidden: false, nowMs: 0, frames: 0, paintMs: 0 });
  page.due.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => page.nowMs);
  vi.stubGlobal('setTimeout', after);
  vi.stubGlobal('clearTimeout', cancel);
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => {
    page.frames += 1;
    return after(work, FRAME_MS - (page.nowMs % FRAME_MS));
  });
  vi.stubGlobal('cancelAnimationFrame', cancel);
  vi.stubGlobal('MessageChannel', ChannelAfterPaint);
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
    waiting.push(page.nowMs);
    pace.flushSoon();
  }
  await pass(500);
  expect(waits).toHaveLength(count);
  return waits;
}

it.each([
  ['at once if the page has time', 40, 1.5, 0],
  ['after the frame if the page has just shown others', 2, 1.5, FRAME_MS],
  ['after a pause as long as an update costs if the page is busy', 2, 20, FRAME_MS + 2 * 20],
])('shows updates %s', async (_when, gapMs, tookMs, longestMs) => {
  const waits = await waitsOf(gapMs, tookMs);
  expect(Math.max(...waits)).toBeLessThanOrEqual(longestMs);
});

/** Returns the share of a second in which the page renders, if an update arrives every 2 ms. */
async function getBusyShare(flushMs: number, paintMs: number): Promise<number> {
  let shows = 0;
  page.paintMs = paintMs;
  const pace = createFlushPace(() => {
    shows += 1;
    take(flushMs);
  });
  while (page.nowMs < 1000) {
    await pass(2);
    pace.flushSoon();
  }
  return (shows * (flushMs + paintMs)) / page.nowMs;
}

it.each([
  ['React', 20, 0],
  ['layout and paint', 1, 20],
])('leaves half of the time to other work if %s takes it', async (_what, flushMs, paintMs) => {
  expect(await getBusyShare(flushMs, paintMs)).toBeLessThanOrEqual(0.5);
});

it('pauses for at most 100 ms', async () => {
  const waits = await waitsOf(400, 300);
  expect(Math.max(...waits)).toBeLessThanOrEqual(FRAME_MS + 300 + 100);
});

it('shows the last update of a run at once', async () => {
  let shows = 0;
  const pace = createFlushPace(() => {
    shows += 1;
    take(50);
  });
  pace.flushSoon();
  await pass(0);
  pace.flushSoon();
  await pass(0);
  expect(shows).toBe(1);
  pace.flushNow();
  pace.flushNow();
  await pass(0);
  expect(shows).toBe(2);
});

it('shows the rest after the frame, or at once if the page becomes hidden', async () => {
  let shows = 0;
  const pace = createFlushPace(() => {
    shows += 1;
    if (shows === 1) pace.flushSoon();
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
