import { describe, expect, it } from 'vitest';
import { continueProse } from '../../electron/demo/language/continue-prose.ts';
import { createSeededRandom } from '../../electron/demo/language/random.ts';

const continueText = (prompt: string, suffix = '') =>
  continueProse({ prompt, suffix, random: null, paragraphs: 1 });

/** Returns the prompt with its continuation up to the end of the first sentence. */
const finish = (prompt: string) =>
  /^.*?(?=\s(?:It was the kind|$))/s.exec(`${prompt}${continueText(prompt)} `)?.[0];

describe('a continuation', () => {
  it.each([
    [
      'The balloon landed on the roof',
      'The balloon landed on the roof, or so it said in the notebook.',
    ],
    ['Roses are red,', 'Roses are red, or so it said in the notebook.'],
    ['The balloon landed ', 'The balloon landed or so it said in the notebook.'],
    ['He opened the', 'He opened the river gate.'],
    ['It was an', 'It was an old gate below the mill.'],
    ['She opened', 'She opened an old notebook.'],
    ['The keeper looked into', 'The keeper looked into the river.'],
    ['We need to', 'We need to wait for the tide.'],
    ['She walked to', 'She walked to the river.'],
    ['I don’t', 'I don’t wait for the tide.'],
    ['The capital of France is', 'The capital of France is not far from the river.'],
    ['Whenever she', 'Whenever she knew the way by heart.'],
    ['The reason is that', 'The reason is that the river was still rising.'],
    ['She waited because', 'She waited because the river was still rising.'],
    ['It is very', 'It is very quiet.'],
    ['“Who is there?” asked', '“Who is there?” asked the keeper.'],
    ['Then: “', 'Then: “You will want tea,” said the keeper.'],
    ['Once', 'Once upon a time there was a gate with one keeper.'],
    ['Once upon a time', 'Once upon a time, there was a gate with one keeper.'],
    ['Once upon a time ', 'Once upon a time there was a gate with one keeper.'],
  ])('of %j ends its sentence', (prompt, sentence) => {
    expect(finish(prompt)).toBe(sentence);
  });

  it.each([
    ['It was late.', /^ It was the kind/],
    ['It was late. ', /^It was the kind/],
    ['“It is late!”', /^ It was the kind/],
    ['', /^It was the kind/],
    ['Dear neighbors,', /^\n\nIt was the kind/],
    ['Dear neighbors,\n\n', /^It was the kind/],
  ])('of %j starts with a new sentence', (prompt, expected) => {
    expect(continueText(prompt)).toMatch(expected);
  });

  it('has no doubled commas or spaces, and ends every sentence', () => {
    const prompts = ['The', 'A gate', 'We', 'If', 'They have', 'of', 'nobody', 'well,', 'a ', 'so'];
    for (const prompt of prompts) {
      for (const seed of ['1', '2', '3', '4', '5']) {
        const random = createSeededRandom('prose', seed);
        const text = prompt + continueProse({ prompt, suffix: '', random, paragraphs: 3 });
        expect(text).not.toMatch(/,\s*,| {2}|\s[,.]|[#*|`_]/);
        expect(text).toMatch(/[.”]$/);
      }
    }
  });

  it('of a code block is code', () => {
    const fibonacci = '// The first n Fibonacci numbers.\nfunction fibonacci(n) {\n';
    const code = `${fibonacci}${continueText(fibonacci)}`;
    const list = new Function(`${code}; return fibonacci(7);`);
    expect(list()).toEqual([0, 1, 1, 2, 3, 5, 8]);
    expect(continueText('def greet(name):')).toMatch(/^\n {4}# A simulated model/);
    expect(continueText('if (late) {\n  ', '}')).toMatch(/^\/\/ A simulated model.*\n$/);
  });
});
