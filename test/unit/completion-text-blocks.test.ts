import { describe, expect, it } from 'vitest';
import {
  getContinuation,
  sameBlock,
  type TextPart,
  textBlocks,
} from '../../renderer/features/completion/result-text.tsx';

function joined(parts: TextPart[]): string {
  return textBlocks(parts)
    .map((block) => block.map(({ text }) => text).join(''))
    .join('\n');
}

function story(lines: number): string {
  return Array.from({ length: lines }, (_, line) => `Line ${line} of a long story.`).join('\n');
}

describe('textBlocks', () => {
  it('runs prompt, continuation and suffix together in one line', () => {
    const parts: TextPart[] = [
      { kind: 'prompt', text: 'Once ' },
      { kind: 'continuation', text: 'upon\na ' },
      { kind: 'suffix', text: 'time' },
    ];
    expect(textBlocks(parts)).toEqual([
      [
        { kind: 'prompt', text: 'Once ' },
        { kind: 'continuation', text: 'upon\na ' },
        { kind: 'suffix', text: 'time' },
      ],
    ]);
  });

  it('cuts a long text at line ends and loses nothing of it', () => {
    const parts: TextPart[] = [
      { kind: 'prompt', text: story(100) },
      { kind: 'continuation', text: `\n\n${story(100)}` },
      { kind: 'suffix', text: '\nThe end' },
    ];
    expect(textBlocks(parts).length).toBeGreaterThan(5);
    expect(joined(parts)).toBe(parts.map(({ text }) => text).join(''));
  });

  it('leaves all blocks but the last as they were while the text grows', () => {
    const text = story(300);
    let before = textBlocks([{ kind: 'continuation', text: '' }]);
    for (let length = 0; length < text.length; length += 37) {
      const after = textBlocks([{ kind: 'continuation', text: text.slice(0, length) }]);
      for (const [index, block] of before.slice(0, -1).entries()) {
        expect(sameBlock(block, after[index] ?? [])).toBe(true);
      }
      before = after;
    }
  });
});

describe('continuationOf', () => {
  it.each([
    ['without echo', 'Once more', 'Once', false, 'Once more'],
    ['with echo', 'Once upon', 'Once', true, ' upon'],
    ['while the echo still arrives', 'On', 'Once', true, ''],
    ['from a gateway that ignores echo', ' upon', 'Once', true, ' upon'],
  ])('is the generated text alone %s', (_case, text, prompt, echo, continuation) => {
    expect(getContinuation(text, prompt, echo)).toBe(continuation);
  });
});
