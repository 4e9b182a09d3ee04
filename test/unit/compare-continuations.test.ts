import { expect, test } from 'vitest';
import { getContinuations } from '../../renderer/features/completion/continuations.ts';
import type { Cell } from '../../shared/comparison.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isRunOf } from '../../shared/run-view.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';

const column = (id: string, request: JsonObject, differences: string[] = []) => ({
  variant: {
    ...{ id, name: '', connectionId: 'demo', request: { model: id, ...request } },
    ...{ extraBody: {}, wireNames: {}, differences },
  },
  name: id,
  title: [id, ...differences].join(' · '),
  isHidden: false,
});

const cell = (place: number, variantId: string, repeat: number, rowId = 'input'): Cell => ({
  ...{ place, rowId, variantId, repeat, messageId: null, state: 'sent', attempts: 1 },
  run: runSummary({ id: `run-${place}` }),
  problem: null,
});

function view(place: number, texts: string[], status: 'succeeded' | 'running' = 'succeeded') {
  const choices = texts.map((text, index) => ({ index, text, finishReason: null }));
  const run = runView('completion', { id: `run-${place}`, status, state: { choices } });
  return isRunOf(run, 'completion') ? run : expect.fail('No completion');
}

test('continuations are named and without the prompt that an echo repeats', () => {
  const row = {
    id: 'input',
    label: '',
    request: { prompt: 'Once' },
    sourceRunId: null,
    variants: [],
  };
  const cells = [
    cell(0, 'plain', 0),
    cell(1, 'echo', 0),
    cell(2, 'plain', 1),
    cell(3, 'echo', 1),
    cell(4, 'plain', 0, 'another'),
  ];
  const columns = [column('plain', {}), column('echo', { echo: true }, ['echo on'])];
  const views = [
    view(0, [' upon', ' more']),
    view(1, ['Once again']),
    view(2, [' upon a', ''], 'running'),
    view(3, ['Once'], 'succeeded'),
    view(4, [' elsewhere']),
  ];
  expect(
    getContinuations({ repeats: 2 }, row, cells, columns, views).map(({ name, text }) => [
      name,
      text,
    ]),
  ).toEqual([
    ['plain, Repeat 1, choice 1', ' upon'],
    ['plain, Repeat 1, choice 2', ' more'],
    ['echo · echo on, Repeat 1', ' again'],
  ]);
});
