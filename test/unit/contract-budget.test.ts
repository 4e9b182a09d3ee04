/** What a page is sent for a stream: how often, and how many bytes. */
import { expect, it } from 'vitest';
import { createLiveRun, createUpdatePace, watchRun } from '../../electron/runs/live-run.ts';
import { applyPatch } from '../../shared/patch.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';

const TOKENS = 2000;
/** What arrives while the page is sent one update. */
const AT_ONCE = 10;

const word = (at: number) => ` word${at % 977}`;
const token = (at: number) => ({
  kind: 'chunk' as const,
  exchange: 0,
  data: JSON.stringify({
    id: 'chatcmpl-9f8a7b6c5d4e3f2a1b0c',
    object: 'chat.completion.chunk',
    created: 1_732_200_000,
    model: 'gpt-4o-mini-2024-07-18',
    choices: [{ index: 0, delta: { content: word(at) }, logprobs: null, finish_reason: null }],
    usage: null,
  }),
  event: null,
  comment: false,
});

it('a stream of 2,000 tokens is sent in 200 updates of less than 300 bytes', async () => {
  let time = 0;
  const run = createLiveRun(runView('chat', { seq: 0, status: 'queued' }), () => {
    time += 1;
    return time;
  });
  run.record([
    { kind: 'request', exchange: 0, method: 'POST', url: 'http://x/', headers: [], body: null },
  ]);
  const updates = watchRun(run, null, undefined, createUpdatePace());
  let view: RunView | null = null;
  const sizes: number[] = [];
  for (let at = 0; at < TOKENS; at += AT_ONCE) {
    const { value } = await (at === 0 ? updates.next() : record(at));
    if (value?.type === 'snapshot') view = value.view;
    else if (value?.type === 'update' && view !== null) {
      view = applyPatch<RunView>(view, value.patch);
      sizes.push(JSON.stringify(value).length);
    }
  }
  await updates.return();
  const text = Array.from({ length: TOKENS - AT_ONCE }, (_, at) => word(at)).join('');
  expect(view).toMatchObject({ state: { choices: [{ content: text }] } });
  expect(sizes).toHaveLength(TOKENS / AT_ONCE - 1);
  // The first update also has what is said once.
  expect(Math.max(...sizes.slice(1))).toBeLessThan(300);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30 * TOKENS);

  function record(at: number) {
    for (let of = 0; of < AT_ONCE; of += 1) run.record([token(at - AT_ONCE + of)]);
    return updates.next();
  }
});
