import { expect, it } from 'vitest';
import { splitText } from '../../renderer/features/speech/split-text.ts';

it.each([
  ['at sentences', 'One two. Three four. Five.', 20, ['One two. Three four.', 'Five.']],
  ['between words of a long sentence', 'One two three four', 8, ['One two', 'three', 'four']],
  ['between characters of a long word', 'abcdefgh', 3, ['abc', 'def', 'gh']],
  ['by code points', '👍👍👍👍', 2, ['👍👍', '👍👍']],
  ['nothing that fits', ' Short. ', 20, ['Short.']],
])('splits %s', (_, text, limit, parts) => {
  expect(splitText(text, limit)).toEqual(parts);
});
