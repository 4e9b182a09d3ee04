import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type Merge, mergeObject } from '../../shared/operations/chat/merge-delta.ts';
import { mergeToolCalls } from '../../shared/operations/chat/tool-calls.ts';
import { operations } from '../../shared/operations/operations.ts';
import {
  createFoldBatch,
  MAX_CHOICES,
  MAX_FIELDS,
  MAX_ITEMS,
  MAX_UNIQUE_ITEMS,
  TOO_MUCH_WARNING,
} from '../../shared/operations/response/fold-batch.ts';
import { addResponseFields } from '../../shared/operations/response/other-fields.ts';
import { applyPatch, type Patch } from '../../shared/patch.ts';
import type { RunEventOf } from '../../shared/run.ts';
import { freeze } from './support/fold-events.ts';

const { initialState, foldChunks } = operations.chat;

function foldChunk(...bodies: JsonObject[]) {
  const events = bodies.map((body, at): RunEventOf<'chunk'> => {
    const data = JSON.stringify(body);
    return { kind: 'chunk', exchange: 0, data, event: null, comment: false, seq: at + 1, atMs: at };
  });
  return foldChunks?.(freeze(initialState), events).state ?? expect.fail('No fold');
}

const fold = (...deltas: JsonObject[]) =>
  foldChunk(...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })));

const count = (length: number) => Array.from({ length }, (_, at) => at);

const createMerge = (): Merge => ({
  warn: () => undefined,
  mode: 'delta',
  growing: {},
  output: 0,
  batch: createFoldBatch(),
});

it('copies each object once, however many fields a batch adds', () => {
  const merge = createMerge();
  const first = freeze<JsonObject>({ content: 'Hi', nested: { list: [] } });
  let message = first;
  for (const at of count(500)) {
    const added = { [`k${at}`]: at, nested: { [`n${at}`]: at, list: [at] } };
    message = mergeObject(message, added, merge);
  }
  expect(Object.keys(message)).toHaveLength(502);
  expect(merge.batch.copies).toBe(3);
});

it('copies a list of tool calls once, however many a batch adds', () => {
  const merge = createMerge();
  const body = { name: 'f', arguments: '' };
  let calls: JsonValue[] = freeze([{ index: 0, id: 'c0', function: body }]);
  for (const at of count(500)) {
    const call = { index: at, id: `c${at}`, function: { name: 'f', arguments: '{}' } };
    calls = mergeToolCalls(calls, [call], merge);
  }
  expect(calls).toHaveLength(500);
  // The list, and each call with its function.
  expect(merge.batch.copies).toBeLessThanOrEqual(1 + 2 * 500);
});

it('copies other fields and lists of sources once', () => {
  const batch = createFoldBatch();
  let fields = freeze<JsonObject>({ citations: ['a'], usage_by: {} });
  for (const at of count(300)) {
    const added = { [`k${at}`]: at, usage_by: { [`k${at}`]: at }, citations: [`u${at}`, 'a'] };
    fields = addResponseFields(fields, added, batch, () => undefined);
  }
  expect(fields.citations).toHaveLength(301);
  expect(batch.copies).toBe(3);
});

it('keeps a field named like a prototype', () => {
  const batch = createFoldBatch();
  const copy = batch.set({}, '__proto__', { a: 1 });
  expect(Object.entries(copy)).toEqual([['__proto__', { a: 1 }]]);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

it('applies the steps of a patch to one copy of each object', () => {
  const state = freeze({ a: { b: { c: 'x' } }, kept: {} });
  const patch: Patch = count(50).map((at) => ({
    op: 'set',
    path: ['a', 'b', `k${at}`],
    value: freeze({ at }),
  }));
  const after = applyPatch<typeof state>(state, [
    ...patch,
    { op: 'append', path: ['a', 'b', 'c'], text: 'y' },
    { op: 'set', path: ['a', 'b', 'k1', 'deep'], value: 1 },
  ]);
  expect(after.a.b).toMatchObject({
    c: 'xy',
    k0: { at: 0 },
    k1: { at: 1, deep: 1 },
    k49: { at: 49 },
  });
  expect(after.kept).toBe(state.kept);
});

it('shows a limited number of fields, in one event or in many', () => {
  const names = count(MAX_FIELDS + 1).map((at) => [`k${at}`, at] as const);
  const single = fold(Object.fromEntries(names));
  const many = fold(...names.map(([name, value]) => ({ [name]: value })));
  for (const { choices, warnings } of [single, many]) {
    expect(Object.keys(choices[0]?.message ?? {})).toHaveLength(MAX_FIELDS);
    expect(warnings).toEqual([TOO_MUCH_WARNING]);
  }
});

it('shows a limited number of tool calls and images', () => {
  const call = { type: 'function', function: { name: 'f', arguments: '{}' } };
  const calls = count(MAX_ITEMS + 1).map((at) => ({ ...call, index: at, id: `c${at}` }));
  const images = count(MAX_ITEMS + 1).map((at) => ({ type: 'image_url', url: `u${at}` }));
  const annotations = count(MAX_UNIQUE_ITEMS + 1).map((at) => ({ url: `u${at}` }));
  const { choices, warnings } = fold({ tool_calls: calls, images, annotations });
  const message = choices[0]?.message;
  expect(message?.tool_calls).toHaveLength(MAX_ITEMS);
  expect(message?.images).toHaveLength(MAX_ITEMS);
  expect(message?.annotations).toHaveLength(MAX_UNIQUE_ITEMS);
  expect(warnings).toEqual([TOO_MUCH_WARNING]);
});

it('shows a limited number of choices, in any order', () => {
  const choices = count(MAX_CHOICES + 1)
    .toReversed()
    .map((index) => ({ index, delta: { content: 'a' } }));
  const folded = foldChunk({ choices });
  expect(folded.choices.map(({ index }) => index)).toEqual(count(MAX_CHOICES + 1).slice(1));
  expect(folded.warnings).toEqual([TOO_MUCH_WARNING]);
});
