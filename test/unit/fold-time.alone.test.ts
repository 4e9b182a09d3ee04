import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';
import type { RunEvent } from '../../shared/run.ts';
import { foldEvents, initialView, type RunView } from '../../shared/run-view.ts';
import { runSummary } from '../fixtures/run-view.ts';

/** Folds the events in batches as a stream does, and applies each patch as the page does. */
function measureCpuMs(bodies: readonly JsonObject[], batch: number): number {
  const events = bodies.map((body, at): RunEvent => {
    const data = JSON.stringify(body);
    return { kind: 'chunk', exchange: 0, data, event: null, comment: false, seq: at + 1, atMs: at };
  });
  let view = initialView(runSummary({ operation: 'chat', createdAt: 0, startedAt: null }));
  let page = view;
  const start = process.cpuUsage();
  for (let at = 0; at < events.length; at += batch) {
    const next = foldEvents(view, events.slice(at, at + batch)).view;
    page = applyPatch<RunView>(page, diff(view, next));
    view = next;
  }
  const { user, system } = process.cpuUsage(start);
  expect(page).toEqual(view);
  return (user + system) / 1000;
}

const count = (length: number) => Array.from({ length }, (_, at) => at);
const toChunk = (added: JsonObject) => ({ choices: [{ index: 0, delta: added }] });

it('folds 3,000 events with new field names in less than a second of CPU time', () => {
  const events = count(3000).map((at) => toChunk({ [`k${at}`]: 'v', nested: { [`n${at}`]: 'v' } }));
  expect(measureCpuMs(events, 20)).toBeLessThan(1000);
});

it('folds 20,000 tool calls, one per event or all in one, in less than two seconds', () => {
  const call = { type: 'function', function: { name: 'f', arguments: '{}' } };
  const calls = count(20_000).map((at) => ({ ...call, index: at, id: `c${at}` }));
  const each = calls.map((one) => toChunk({ tool_calls: [one] }));
  expect(measureCpuMs(each, 100)).toBeLessThan(2000);
  expect(measureCpuMs([toChunk({ tool_calls: calls })], 1)).toBeLessThan(2000);
});

it('folds 100,000 choices of one event in less than two seconds', () => {
  const choices = count(100_000).map((index) => ({ index, delta: { content: 'a' } }));
  expect(measureCpuMs([{ choices }], 1)).toBeLessThan(2000);
  expect(measureCpuMs([{ choices: choices.toReversed() }], 1)).toBeLessThan(2000);
});
