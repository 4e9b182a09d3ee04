import { describe, expect, it } from 'vitest';
import {
  createLiveRun,
  createUpdatePace,
  streamUpdates,
  type UpdatePace,
} from '../../electron/runs/live-run.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { applyPatch } from '../../shared/patch.ts';
import type { RunEventBody } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';
import { chunk, finish } from './support/fold-events.ts';

const queued = runView('transcription', { seq: 0, status: 'queued' });

const request: RunEventBody = {
  kind: 'request',
  exchange: 0,
  method: 'POST',
  url: 'http://localhost/',
  headers: [],
  body: null,
};
/** Makes a chunk of a streamed transcript. */
const part = (delta: string) => chunk({ delta });

function startRun(now: () => number = () => 0) {
  const run = createLiveRun(queued, now);
  run.record([request]);
  return run;
}

const watch = (run: ReturnType<typeof startRun>, after: number | null, pace = createUpdatePace()) =>
  streamUpdates(run, after, undefined, pace, () => undefined);

function follow(view: RunView | null, update: RunUpdate): RunView {
  if (update.type === 'snapshot') return update.view;
  expect(update.from).toBe(view?.seq);
  if (view === null) throw new Error('An update came before a snapshot');
  return applyPatch<RunView>(view, update.patch);
}

/** Resolves to `later` if the value requires a timer. */
function atOnce<Value>(value: Promise<Value>): Promise<Value | 'later'> {
  return Promise.race([value, new Promise<'later'>((go) => setImmediate(() => go('later')))]);
}

describe('streamUpdates', () => {
  it('starts with a snapshot and ends with the final view', async () => {
    const run = startRun();
    run.record([part('Hel')]);
    let seen: RunView | null = null;
    const updates: RunUpdate[] = [];
    for await (const update of watch(run, null)) {
      updates.push(update);
      seen = follow(seen, update);
      if (updates.length === 1) {
        run.record([part('lo ')]);
        run.record([part('world')]);
      }
      if (updates.length === 2) run.record([finish]);
    }
    expect(updates.map((update) => update.type)).toEqual(['snapshot', 'update', 'update']);
    expect(seen).toEqual(run.view());
    expect(seen).toMatchObject({ status: 'succeeded', state: { text: 'Hello world' } });
  });

  it('reports how long the run has been silent, even after a restart', async () => {
    let time = 100_000;
    const run = createLiveRun(queued, () => time, { ageMs: 60_000, lastAtMs: 50_000 });
    const quietMs = async () => {
      const { value } = await watch(run, null).next();
      return value?.type === 'snapshot' ? value.quietMs : null;
    };
    expect(await quietMs()).toBe(10_000);
    time += 5000;
    run.record([request]);
    time += 4000;
    expect(await quietMs()).toBe(4000);
  });

  it('saves what it is about to send, right before it sends it', async () => {
    const run = startRun();
    const saved: number[] = [];
    const save = () => saved.push(run.view().seq);
    const updates = streamUpdates(run, null, undefined, createUpdatePace(), save);
    const first = (await updates.next()).value;
    run.record([part('a')]);
    run.record([part('b')]);
    const second = (await updates.next()).value;
    expect([first?.type, second?.type === 'update' && second.to, saved]).toEqual([
      'snapshot',
      3,
      [1, 3],
    ]);
    await updates.return();
  });

  it('joins the chunks between two updates into one text', async () => {
    const run = startRun();
    const updates = watch(run, null);
    await updates.next();
    for (let index = 0; index < 500; index += 1) run.record([part('x')]);
    const { value } = await updates.next();
    expect(value).toMatchObject({ type: 'update', from: 1, to: 501 });
    const patch = { op: 'set', path: ['state', 'text'], value: 'x'.repeat(500) };
    expect(value?.type === 'update' && value.patch).toContainEqual(patch);
    await updates.return();
  });

  it('sends the first chunk after a pause at once, and only delays later ones', async () => {
    const pace = createUpdatePace();
    const run = startRun();
    const { promise: rested, resolve: rest } = Promise.withResolvers<void>();
    const updates = streamUpdates(
      run,
      1,
      undefined,
      pace,
      () => undefined,
      () => rested,
    );
    const first = updates.next();
    expect(pace.waiting).toBe(0);
    run.record([part('a')]);
    expect(await atOnce(first)).toMatchObject({ value: { from: 1, to: 2 } });
    const second = updates.next();
    run.record([part('b')]);
    expect(await atOnce(second)).toBe('later');
    expect(pace.waiting).toBe(1);
    run.record([part('c')]);
    rest();
    expect((await second).value).toMatchObject({ from: 2, to: 4 });
    expect(pace.waiting).toBe(0);
    await updates.return();
  });

  /** Returns the milliseconds between updates of a run at `perSecond` chunks, next to `others`. */
  async function gapsAt(perSecond: number, others: number): Promise<number[]> {
    let time = 0;
    const run = createLiveRun(queued, () => time);
    let pieces = 0;
    /** Advances the time while chunks arrive. */
    function pass(ms: number): void {
      const until = time + ms;
      for (; (pieces * 1000) / perSecond <= until; pieces += 1) {
        time = Math.max(time, (pieces * 1000) / perSecond);
        run.record([part('x')]);
      }
      time = until;
    }
    const sentAtMs: number[] = [];
    let received = 0;
    const pace: UpdatePace = { waiting: others };
    for await (const update of streamUpdates(
      run,
      null,
      undefined,
      pace,
      () => undefined,
      async (ms) => pass(ms),
    )) {
      expect(pace.waiting).toBe(others);
      if (update.type === 'update') received += update.to - update.from;
      sentAtMs.push(time);
      if (time >= 1000) break;
      pass(1000 / perSecond);
    }
    expect(received).toBe(pieces);
    return sentAtMs.slice(2).map((at, index) => at - (sentAtMs[index + 1] ?? 0));
  }

  it.each([
    ['a frame', 0, 14, 18],
    ['a frame', 31, 14, 18],
    ['a tenth of a second', 199, 98, 102],
    ['what a person notices', 5000, 148, 152],
  ])('sends one message per %s while %i other runs stream', async (_time, others, least, most) => {
    for (const perSecond of [500, 2000]) {
      const gaps = await gapsAt(perSecond, others);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(most);
    }
  });

  it('resends nothing to a watcher that already has the last event', async () => {
    const run = startRun();
    run.record([part('a')]);
    const updates = watch(run, 2);
    const next = updates.next();
    run.record([part('b')]);
    expect((await next).value).toMatchObject({ type: 'update', from: 2, to: 3 });
    await updates.return();
  });

  it('sends a snapshot to a watcher that is at any other event', async () => {
    expect((await watch(startRun(), 7).next()).value).toMatchObject({ type: 'snapshot', seq: 1 });
  });

  it('ends at once when the page stops watching', async () => {
    const run = startRun();
    const abort = new AbortController();
    const updates = streamUpdates(run, null, abort.signal, createUpdatePace(), () => undefined);
    await updates.next();
    const next = updates.next();
    abort.abort();
    expect((await next).done).toBe(true);
  });
});
