import { expect, it } from 'vitest';
import { wordsCoverText } from '../../renderer/features/transcription/spoken-words.tsx';

const spoken = (...words: string[]) => words.map((word) => ({ word, start: 0, end: 1 }));

it.each([
  ['the same words', spoken('Hello', 'there'), 'Hello there', true],
  ['punctuation and spaces differ', spoken(' hello', ' there'), 'Hello, there!', true],
  ['no spaces in the language', spoken('你', '好'), '你好。', true],
  ['no text beside them', spoken('hello'), '', true],
  ['numbers written out', spoken('twenty', 'euros'), '20 €', true],
  ['words are missing', spoken('hello'), 'Hello there, big world', false],
  ['there are none', [], 'Hello', false],
])('compares words with the text: %s', (_, words, text, covers) => {
  expect(wordsCoverText(words, text)).toBe(covers);
});
