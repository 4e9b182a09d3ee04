import { describe, expect, it } from 'vitest';
import type { RunUpdate, RunUpdateMessage } from '../../shared/contract/runs.ts';
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import { applyPatch, diff, type Patch } from '../../shared/patch.ts';
import type { RunView } from '../../shared/run-view.ts';
import { joinUpdates, splitUpdate } from '../../shared/update-parts.ts';
import { runView } from '../fixtures/run-view.ts';

const large: JsonObject = {
  text: 'The “gate” stands 🌉 open. '.repeat(2000),
  results: Array.from({ length: 3000 }, (_, index) => ({ index, score: 1 / (index + 1) })),
  nested: { deep: [{ list: Array.from({ length: 3000 }, (_, at) => at), none: null }] },
  id: new ExactNumber('9007199254740993'),
};
const small = { text: 'The', results: [], id: new ExactNumber('1') };
const MAX_WEIGHT = 10_000;

const base = runView('rerank', {});
const view = (state: JsonObject, seq = 1) => ({ ...base, seq, state }) as RunView;
const snapshotOf = (state: JsonObject): RunUpdate => ({
  type: 'snapshot',
  seq: 1,
  view: view(state),
  quietMs: 5,
});
const updateTo = (state: JsonObject): RunUpdate => ({
  type: 'update',
  from: 1,
  to: 2,
  patch: diff<object>(view(small), view(state, 2)),
});

const split = (update: RunUpdate) => [...splitUpdate(update, MAX_WEIGHT)];

async function join(messages: RunUpdateMessage[]): Promise<RunUpdate[]> {
  const source = (async function* () {
    yield* messages;
  })();
  const joined: RunUpdate[] = [];
  for await (const update of joinUpdates(source)) joined.push(update);
  return joined;
}

const patchOf = (update: RunUpdate | undefined): Patch =>
  update?.type === 'update' ? update.patch : [];

describe('splitUpdate and joinUpdates', () => {
  it('sends a small update as one message', () => {
    for (const update of [snapshotOf(small), updateTo(small)])
      expect(split(update)).toEqual([update]);
  });

  it('restores a large snapshot from messages that are all small', async () => {
    const snapshot = snapshotOf(large);
    const messages = split(snapshot);
    expect(messages.length).toBeGreaterThan(10);
    for (const message of messages)
      expect(JSON.stringify(message).length).toBeLessThan(3 * MAX_WEIGHT);
    expect(await join(messages)).toEqual([snapshot]);
  });

  it('gives a large update the same effect', async () => {
    const update = updateTo(large);
    const messages = split(update);
    expect(messages.length).toBeGreaterThan(10);
    const [joined, ...others] = await join(messages);
    expect(others).toEqual([]);
    expect(joined).toMatchObject({ type: 'update', from: 1, to: 2 });
    expect(applyPatch<object>(view(small), patchOf(joined))).toEqual(view(large, 2));
  });

  it('appends a long text in pieces, and removes what is gone', async () => {
    const before = view({ text: 'The', none: null });
    const after = view({ text: `The${'🌉'.repeat(30_001)}` }, 2);
    const update: RunUpdate = {
      type: 'update',
      from: 1,
      to: 2,
      patch: diff<object>(before, after),
    };
    const messages = split(update);
    expect(messages.length).toBeGreaterThan(5);
    const [joined] = await join(messages);
    expect(applyPatch<object>(before, patchOf(joined))).toEqual(after);
  });

  it.each<[string, JsonObject]>([
    ['a long name of a list', { ['k'.repeat(5000)]: Array.from({ length: 5000 }, (_, at) => at) }],
    ['a name longer than a message', { ['k'.repeat(20_000)]: Array(5000).fill('item') }],
    ['numbers', { list: Array.from({ length: 20_000 }, (_, at) => at) }],
    ['small fields', Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, at]))],
  ])('sends %s without much repetition', async (_what, state) => {
    const snapshot = snapshotOf({ own: { deep: state } });
    const messages = split(snapshot);
    const whole = JSON.stringify(snapshot).length;
    expect(JSON.stringify(messages).length).toBeLessThan(2 * whole);
    expect(await join(messages)).toEqual([snapshot]);
  });

  it('yields nothing for parts whose update never came', async () => {
    const messages = split(snapshotOf(large));
    expect(await join(messages.slice(0, -1))).toEqual([]);
  });

  it('keeps the parts of one update out of the next', async () => {
    const messages = [...split(snapshotOf(large)), updateTo(small)];
    expect(await join(messages)).toEqual([snapshotOf(large), updateTo(small)]);
  });
});
