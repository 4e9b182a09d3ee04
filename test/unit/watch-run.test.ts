import { describe, expect, it } from 'vitest';
import {
  createLiveRun,
  createUpdatePace,
  type UpdatePace,
  watchRun,
} from '../../electron/runs/live-run.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { applyPatch } from '../../shared/patch.ts';
import type { RunEventBody, Timings } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';

const queued = runView('transcription', { seq: 0, status: 'queued' });

const timings = { endAtMs: 5 } as Timings;
/** A piece of a transcript that streams. */
const chunk = (delta: string): RunEventBody => ({
  kind: 'chunk',
  exchange: 0,
  data: JSON.stringify({ delta }),
  event: null,
  comment: false,
});
const request: RunEventBody = {
  kind: 'request',
  exchange: 0,
  method: 'POST',
  url: 'http://localhost/',
  headers: [],
  body: null,
};
const finish: RunEventBody = { kind: 'finish', exchange: 0, timings };

function startRun() {
  let time = 0;
  return createLiveRun(queued, () => {
    time += 1;
    return time;
  });
}

function follow(view: RunView | null, update: RunUpdate): RunView {
  if (update.type === 'snapshot') return update.view;
  expect(update.from).toBe(view?.seq);
  if (view === null) throw new Error('An update came before a snapshot');
  return applyPatch<RunView>(view, update.patch);
}

/** Without any timer in between. */
function atOnce<Value>(value: Promise<Value>): Promise<Value | 'later'> {
  return Promise.race([value, new Promise<'later'>((go) => setImmediate(() => go('later')))]);
}

describe('watchRun', () => {
  it('starts with a snapshot and ends in the run’s own final view', async () => {
    const run = startRun();
    run.record([request]);
    run.record([chunk('Hel')]);
    let seen: RunView | null = null;
    const updates: RunUpdate[] = [];
    for await (const update of watchRun(run, null, undefined, createUpdatePace())) {
      updates.push(update);
      seen = follow(seen, update);
      if (updates.length === 1) {
        run.record([chunk('lo ')]);
        run.record([chunk('world')]);
      }
      if (updates.length === 2) run.record([finish]);
    }
    expect(updates.map((update) => update.type)).toEqual(['snapshot', 'update', 'update']);
    expect(seen).toEqual(run.view());
    expect(seen).toMatchObject({ status: 'succeeded', state: { text: 'Hello world' } });
  });

  it('says with the snapshot for how long the run is quiet, over a restart too', async () => {
    let time = 100_000;
    const run = createLiveRun(queued, () => time, { ageMs: 60_000, lastAtMs: 50_000 });
    const quietMs = async () => {
      const { value } = await watchRun(run, null, undefined, createUpdatePace()).next();
      return value?.type === 'snapshot' ? value.quietMs : null;
    };
    expect(await quietMs()).toBe(10_000);
    time += 5000;
    run.record([request]);
    time += 4000;
    expect(await quietMs()).toBe(4000);
  });

  it('joins what arrives between two flushes into one appended text', async () => {
    const run = startRun();
    run.record([request]);
    const updates = watchRun(run, null, undefined, createUpdatePace());
    await updates.next();
    for (let index = 0; index < 500; index += 1) run.record([chunk('x')]);
    const { value } = await updates.next();
    expect(value).toMatchObject({ type: 'update', from: 1, to: 501 });
    expect(value?.type === 'update' && value.patch).toContainEqual({
      op: 'set',
      path: ['state', 'text'],
      value: 'x'.repeat(500),
    });
    await updates.return();
  });

  it('gives the first piece after a rest at once, and keeps back what follows right behind it', async () => {
    const time = 0;
    const run = createLiveRun(queued, () => time);
    run.record([request]);
    const { promise: rested, resolve: rest } = Promise.withResolvers<void>();
    const updates = watchRun(run, 1, undefined, createUpdatePace(), () => rested);
    const first = updates.next();
    run.record([chunk('a')]);
    expect(await atOnce(first)).toMatchObject({ value: { from: 1, to: 2 } });
    const second = updates.next();
    run.record([chunk('b')]);
    expect(await atOnce(second)).toBe('later');
    run.record([chunk('c')]);
    rest();
    expect((await second).value).toMatchObject({ from: 2, to: 4 });
    await updates.return();
  });

  /** Milliseconds between the updates of a run with so many pieces a second, while others wait too. */
  async function gapsAt(perSecond: number, others: number): Promise<number[]> {
    let time = 0;
    const run = createLiveRun(queued, () => time);
    let pieces = 0;
    /** Time passes, and pieces arrive meanwhile. */
    function pass(ms: number): void {
      const until = time + ms;
      for (; (pieces * 1000) / perSecond <= until; pieces += 1) {
        time = Math.max(time, (pieces * 1000) / perSecond);
        run.record([chunk('x')]);
      }
      time = until;
    }
    const sentAtMs: number[] = [];
    let received = 0;
    const pace: UpdatePace = { waiting: others };
    for await (const update of watchRun(run, null, undefined, pace, async (ms) => pass(ms))) {
      expect(pace.waiting).toBe(others);
      if (update.type === 'update') received += update.to - update.from;
      sentAtMs.push(time);
      if (time >= 1000) break;
      pass(1000 / perSecond);
    }
    expect(received).toBe(pieces);
    return sentAtMs.slice(2).map((at, index) => at - (sentAtMs[index + 1] ?? 0));
  }

  it.each([500, 2000])(
    'sends a few messages per frame at %i pieces a second',
    async (perSecond) => {
      const gaps = await gapsAt(perSecond, 0);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
      // Half of the updates wait; those shown at once arrive within 8 ms.
      expect(Math.max(...gaps)).toBeLessThanOrEqual(8);
    },
  );

  it.each([
    ['a frame', 7, 16],
    ['a frame', 31, 16],
    ['a tenth of a second', 199, 100],
    ['what a person notices', 5000, 150],
  ])('sends one message in %s while %i other runs stream', async (_time, others, restMs) => {
    for (const perSecond of [500, 2000]) {
      const gaps = await gapsAt(perSecond, others);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(restMs - 2);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(restMs + 2);
    }
  });

  it('is waited for only while it has something to send', async () => {
    const pace = createUpdatePace();
    const run = createLiveRun(queued, () => 0);
    run.record([request]);
    const { promise: rested, resolve: rest } = Promise.withResolvers<void>();
    const updates = watchRun(run, 1, undefined, pace, () => rested);
    const first = updates.next();
    expect(pace.waiting).toBe(0);
    run.record([chunk('a')]);
    await first;
    const second = updates.next();
    run.record([chunk('b')]);
    await atOnce(second);
    expect(pace.waiting).toBe(1);
    rest();
    await second;
    expect(pace.waiting).toBe(0);
    await updates.return();
  });

  it('sends nothing again to a watcher that is already at the last event', async () => {
    const run = startRun();
    run.record([request]);
    run.record([chunk('a')]);
    const updates = watchRun(run, 2, undefined, createUpdatePace());
    const next = updates.next();
    run.record([chunk('b')]);
    expect((await next).value).toMatchObject({ type: 'update', from: 2, to: 3 });
    await updates.return();
  });

  it('sends a snapshot to a watcher anywhere else', async () => {
    const run = startRun();
    run.record([request]);
    const first = await watchRun(run, 7, undefined, createUpdatePace()).next();
    expect(first.value).toMatchObject({ type: 'snapshot', seq: 1 });
  });

  it('ends at once when the page stops watching', async () => {
    const run = startRun();
    const abort = new AbortController();
    const updates = watchRun(run, null, abort.signal, createUpdatePace());
    await updates.next();
    const next = updates.next();
    abort.abort();
    expect((await next).done).toBe(true);
  });
});
