import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';
import type { RunEvent } from '../../shared/run.ts';
import { createInitialView, foldEvents, type RunView } from '../../shared/run-view.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';
import { runSummary } from '../fixtures/run-view.ts';

function toEvent(body: JsonObject, at: number): RunEvent {
  const data = JSON.stringify(body);
  return { kind: 'chunk', exchange: 0, data, event: null, comment: false, seq: at + 1, atMs: at };
}

/** Folds the events in batches as a stream does, and applies each patch as the page does. */
function foldInBatches(events: readonly RunEvent[], batch: number): void {
  let view = createInitialView(runSummary({ operation: 'chat', createdAt: 0, startedAt: null }));
  let page = view;
  for (let at = 0; at < events.length; at += batch) {
    const next = foldEvents(view, events.slice(at, at + batch)).view;
    page = applyPatch<RunView>(page, diff(view, next));
    view = next;
  }
  expect(page).toEqual(view);
}

const count = (length: number) => Array.from({ length }, (_, at) => at);
const toChunk = (added: JsonObject) => ({ choices: [{ index: 0, delta: added }] });
const toCalls = (size: number) =>
  count(size).map((at) => ({
    type: 'function',
    function: { name: 'f', arguments: '{}' },
    index: at,
    id: `c${at}`,
  }));
const toChoices = (size: number) =>
  count(size).map((index) => ({ index, delta: { content: 'a' } }));

it.each<[string, number, (size: number) => JsonObject[], number]>([
  [
    'new field names',
    3000,
    (size) => count(size).map((at) => toChunk({ [`k${at}`]: 'v', nested: { [`n${at}`]: 'v' } })),
    20,
  ],
  [
    'tool calls, one per event',
    20_000,
    (size) => toCalls(size).map((call) => toChunk({ tool_calls: [call] })),
    100,
  ],
  ['tool calls in one event', 20_000, (size) => [toChunk({ tool_calls: toCalls(size) })], 1],
  ['choices of one event', 100_000, (size) => [{ choices: toChoices(size) }], 1],
  ['choices in reverse order', 100_000, (size) => [{ choices: toChoices(size).toReversed() }], 1],
])('folds %s in linear time', (_name, size, toEvents, batch) =>
  expectLinear(
    size,
    (items) => toEvents(items).map(toEvent),
    (events) => foldInBatches(events, batch),
  ),
);
