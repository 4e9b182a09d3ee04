import { describe, expect, it } from 'vitest';
import {
  getContinuation,
  getContinuations,
} from '../../renderer/features/completion/continuations.ts';
import {
  isSameBlock,
  splitBlocks,
  type TextPart,
} from '../../renderer/features/completion/result-text.tsx';
import type { Cell } from '../../shared/comparison.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isRunOf } from '../../shared/run-view.ts';
import { row, variant } from '../fixtures/comparisons.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';

const column = (id: string, request: JsonObject, differences: string[] = []) => ({
  variant: variant(id, { request: { model: id, ...request }, differences }),
  name: id,
  title: [id, ...differences].join(' · '),
  isHidden: false,
});

const cell = (place: number, variantId: string, repeat: number, rowId = 'input'): Cell => ({
  place,
  rowId,
  variantId,
  repeat,
  messageId: null,
  state: 'sent',
  attempts: 1,
  run: runSummary({ id: `run-${place}` }),
  problem: null,
});

function view(place: number, texts: string[], status: 'succeeded' | 'running' = 'succeeded') {
  const choices = texts.map((text, index) => ({ index, text, other: {}, finishReason: null }));
  const run = runView('completion', { id: `run-${place}`, status, state: { choices } });
  return isRunOf(run, 'completion') ? run : expect.fail('No completion');
}

it('names finished continuations and strips an echoed prompt', () => {
  const input = row('input', { prompt: 'Once' });
  const cells = [
    ...[cell(0, 'plain', 0), cell(1, 'echo', 0), cell(2, 'plain', 1), cell(3, 'echo', 1)],
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
  const found = getContinuations({ repeats: 2 }, input, cells, columns, views);
  expect(found.map(({ name, text }) => [name, text])).toEqual([
    ['plain, Repeat 1, choice 1', ' upon'],
    ['plain, Repeat 1, choice 2', ' more'],
    ['echo · echo on, Repeat 1', ' again'],
  ]);
});

function story(lines: number): string {
  return Array.from({ length: lines }, (_, line) => `Line ${line} of a long story.`).join('\n');
}

describe('splitBlocks', () => {
  it('joins the prompt, continuation and suffix on one line', () => {
    const parts: TextPart[] = [
      { kind: 'prompt', text: 'Once ' },
      { kind: 'continuation', text: 'upon\na ' },
      { kind: 'suffix', text: 'time' },
    ];
    expect(splitBlocks(parts)).toEqual([parts]);
  });

  it('splits a long text at line ends without loss', () => {
    const parts: TextPart[] = [
      { kind: 'prompt', text: story(100) },
      { kind: 'continuation', text: `\n\n${story(100)}` },
      { kind: 'suffix', text: '\nThe end' },
    ];
    expect(splitBlocks(parts).length).toBeGreaterThan(5);
    const texts = splitBlocks(parts).map((block) => block.map(({ text }) => text).join(''));
    expect(texts.join('\n')).toBe(parts.map(({ text }) => text).join(''));
  });

  it('changes only the last block as the text grows', () => {
    const text = story(300);
    let before = splitBlocks([{ kind: 'continuation', text: '' }]);
    for (let length = 0; length < text.length; length += 37) {
      const after = splitBlocks([{ kind: 'continuation', text: text.slice(0, length) }]);
      for (const [index, block] of before.slice(0, -1).entries()) {
        expect(isSameBlock(block, after[index] ?? [])).toBe(true);
      }
      before = after;
    }
  });
});

describe('getContinuation', () => {
  it.each([
    ['without echo', 'Once more', 'Once', false, 'Once more'],
    ['with echo', 'Once upon', 'Once', true, ' upon'],
    ['while the echo still arrives', 'On', 'Once', true, ''],
    ['from a gateway that ignores echo', ' upon', 'Once', true, ' upon'],
  ])('returns only the generated text %s', (_case, text, prompt, echo, continuation) => {
    expect(getContinuation(text, { prompt, suffix: '', echo })).toBe(continuation);
  });
});
