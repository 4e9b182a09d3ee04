import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runViewSchema } from '../../shared/contract/runs.ts';
import type { JsonValue } from '../../shared/json.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { applyPatch, diff } from '../../shared/patch.ts';
import { quantitiesSchema } from '../../shared/quantities.ts';
import { type RunEvent, type RunEventBody, runEventSchema } from '../../shared/run.ts';
import {
  createInitialView,
  foldEvents,
  getQuantities,
  getResponse,
  type RunView,
} from '../../shared/run-view.ts';
import { medium } from '../fixtures/medium.ts';
import { cutsOf, inputs } from '../fixtures/property.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { delta } from './support/chat-events.ts';
import { body, finish, freeze, REPLY_KEYS } from './support/fold-events.ts';

const text = fc.constantFrom(
  ...['', 'a', 'Hi ', '<think>', '</think>', '<thi', 'nk>', '12', 'stop', '30%', '{"a":', '1}'],
  ...['"', '\\', '\n', '😀', '\ud83d'],
);

/** Generates JSON of any shape that often contains field names of real responses. */
const anyReply: fc.Arbitrary<JsonValue> = fc.letrec<{ reply: JsonValue }>((tie) => ({
  reply: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constantFrom<JsonValue>(null, true, 0, -1, 1.5, 1e21, 'completed', 'failed'),
    fc.array(tie('reply'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...REPLY_KEYS), tie('reply')), { maxLength: 4 })
      .map((fields): JsonValue => Object.fromEntries(fields)),
  ),
})).reply;

/** Generates a chunk as real gateways send it, for each operation that streams. */
const piece: fc.Arbitrary<JsonValue> = fc.oneof(
  fc
    .record(
      {
        index: fc.constantFrom(0, 0, 0, 1),
        delta: fc.oneof(
          fc.record({ content: text }),
          fc.record({ content: text }),
          fc.record({ reasoning_content: text }),
          fc.record({ role: fc.constant('assistant'), content: text }),
          fc.record({
            tool_calls: fc.tuple(
              fc.record({ index: fc.nat({ max: 1 }), function: fc.record({ arguments: text }) }),
            ),
          }),
        ),
        finish_reason: fc.constantFrom(null, null, null, 'stop'),
      },
      { requiredKeys: ['index', 'delta'] },
    )
    .map((choice): JsonValue => ({ id: 'c', model: 'm', choices: [choice] })),
  text.map((said): JsonValue => ({ id: 'c', choices: [{ index: 0, text: said }] })),
  text.map((delta): JsonValue => ({ type: 'transcript.text.delta', delta })),
  fc.constant<JsonValue>({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  fc
    .tuple(fc.constantFrom('k', 'citations', '__proto__'), fc.nat({ max: 9 }))
    .map(([name, number]): JsonValue => {
      const added = Object.fromEntries([
        [`${name}${number}`, number],
        [name, [{ url: number }]],
      ]);
      return {
        ...added,
        choices: [{ index: number % 3, ...added, delta: { ...added, nested: added } }],
      };
    }),
  anyReply,
);

const exchange = fc.constant(0);
const chunk = fc.record<Extract<RunEventBody, { kind: 'chunk' }>>({
  kind: fc.constant('chunk'),
  exchange,
  data: fc.oneof(
    { weight: 8, arbitrary: piece.map((value) => JSON.stringify(value)) },
    fc.constantFrom('[DONE]', '', '{"cut', '{"a":1}{"b":2}', '{"a":1}\n[DONE]'),
  ),
  event: fc.constantFrom(null, null, null, 'error', 'message'),
  comment: fc.constantFrom(false, false, false, true),
});
const sent = { exchange: 0, method: 'POST', url: 'https://gateway.example/v1', headers: [] };
const task = { exchange: 0, taskId: 't', status: 'in_progress' } as const;
const other: fc.Arbitrary<RunEventBody> = fc.oneof(
  anyReply.map((body): RunEventBody => ({ kind: 'request', ...sent, body: JSON.stringify(body) })),
  fc.constantFrom<RunEventBody>(
    { kind: 'response', exchange: 0, status: 200, headers: [] },
    { kind: 'response', exchange: 0, status: 302, headers: [], followedTo: '/v2' },
    { kind: 'following', exchange: 0, on: true },
    { kind: 'following', exchange: 0, on: false },
    { kind: 'progress', exchange: 0, direction: 'download', doneBytes: 5, totalBytes: 9 },
    { kind: 'media', exchange: 0, media: medium({ kind: 'image', sizeBytes: 4 }) },
    { kind: 'exchange-end', exchange: 0, status: 'succeeded', error: null, timings: null },
    finish,
  ),
  fc.tuple(anyReply, fc.boolean()).map(([reply, truncated]) => body(reply, truncated)),
  fc
    .tuple(anyReply, text)
    .map(([reply, word]): RunEventBody => ({ kind: 'task', ...task, word, reply })),
);

/** Generates the events of a run in any order, with series of similar chunks. */
const events = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.array(chunk, { maxLength: 6 }) },
      {
        weight: 3,
        arbitrary: fc
          .array(text, { maxLength: 14 })
          .map((texts) => texts.map((content) => delta({ content }, { id: 'c' }))),
      },
      { weight: 1, arbitrary: other.map((event) => [event]) },
    ),
    { maxLength: 8 },
  )
  .map((groups) => groups.flat().map((body, at): RunEvent => ({ ...body, seq: at + 1, atMs: at })));

const history = events.chain((all) =>
  fc.record({
    operation: fc.constantFrom(...operationNameSchema.options),
    all: fc.constant(all),
    cuts: cutsOf(all.length),
  }),
);

const start = (operation: OperationName): RunView =>
  createInitialView(runSummary({ operation, createdAt: 0, startedAt: null }));

it('folds events to the same view and output count in any batches, without mutation', () => {
  fc.assert(
    fc.property(history, ({ operation, all, cuts }) => {
      const whole = foldEvents(start(operation), all);
      let view = start(operation);
      let produced = 0;
      for (const [at, end] of cuts.slice(1).entries()) {
        const folded = foldEvents(view, all.slice(cuts[at], end));
        view = freeze(folded.view);
        produced += folded.produced;
      }
      expect(view).toEqual(whole.view);
      expect(produced).toBe(whole.produced);
    }),
    inputs(1500),
  );
});

it('makes the same patches in any batches as one event at a time', () => {
  fc.assert(
    fc.property(history, ({ operation, all, cuts }) => {
      let [alone, batched] = [start(operation), start(operation)];
      for (const [at, end] of cuts.slice(1).entries()) {
        const events = all.slice(cuts[at], end);
        const next = freeze(foldEvents(batched, events).view);
        const last = events.reduce((view, event) => foldEvents(view, [event]).view, alone);
        expect(diff(batched, next)).toEqual(diff(alone, last));
        [alone, batched] = [last, next];
      }
    }),
    inputs(800),
  );
});

it('completes a snapshot to the same view, whether from patches or from events', () => {
  fc.assert(
    fc.property(history, ({ operation, all, cuts }) => {
      const whole = foldEvents(start(operation), all).view;
      const [, cut = 0] = cuts;
      const snapshot = foldEvents(start(operation), all.slice(0, cut)).view;
      const kept = carried(snapshot);
      expect(runViewSchema.safeParse(kept).success).toBe(true);
      expect(foldEvents(kept, all.slice(cut).map(stored)).view).toEqual(whole);

      let [main, page] = [snapshot, kept];
      for (const [at, end] of cuts.slice(1).entries()) {
        if (end <= cut) continue;
        const next = foldEvents(main, all.slice(Math.max(cut, cuts[at] ?? 0), end)).view;
        page = applyPatch<RunView>(page, carried(diff(main, next)));
        main = next;
      }
      expect(page).toEqual(whole);
    }),
    inputs(1000),
  );
});

it('summarizes any events as response, figures and quantities without failing', () => {
  fc.assert(
    fc.property(history, ({ operation, all }) => {
      const { view } = foldEvents(start(operation), all);
      const reply = getResponse(view);
      expect(typeof reply.text).toBe('string');
      expect(new Set(reply.warnings).size).toBe(reply.warnings.length);
      expect(quantitiesSchema.safeParse(getQuantities(view)).success).toBe(true);
    }),
    inputs(800),
  );
});

/** Returns the value as it arrives on the page. */
function carried<Value>(value: Value): Value {
  return parseJson(JSON.stringify(value)) as Value;
}

/** Returns the event as the ledger reads it back. */
function stored(event: RunEvent): RunEvent {
  return runEventSchema.parse(parseJson(JSON.stringify(event)));
}
