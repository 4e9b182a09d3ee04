import { expect, it } from 'vitest';
import { mergeUndo } from '../../renderer/run/form/merge-undo.ts';

it.each([
  ['what nobody has changed since', 'old', 'new', 'new', 'old'],
  ['a field that was not set', undefined, 1, 1, undefined],
  ['not over a value that was changed since', 1, 2, 3, 3],
  ['not over a text that was changed since', 'My text', 'An example', 'Other words', 'Other words'],
  ['a cleared text before what was typed since', 'One\n\nTwo', '', 'Three', 'One\n\nTwo\nThree'],
  [
    'a text that was added, without what was typed behind it',
    'Hi',
    'Hi\n\nYou',
    'Hi\n\nYou!',
    'Hi!',
  ],
  ['a text that was added, without a typo corrected before it', 'Hli', 'Hli\nYou', 'Hi\nYou', 'Hi'],
  ['a replaced text, with what was typed behind it', 'Mine', 'Sample', 'Sample one', 'Mine one'],
  ['a removed line where another was changed', 'a\nb\nc', 'a\nc', 'a2\nc', 'a2\nb\nc'],
  ['a removed line where the next went too', 'a\nb\nc', 'a\nc', 'a', 'a\nb'],
  ['a removed item where another was added', ['a', 'b'], ['a'], ['a', 'c'], ['a', 'b', 'c']],
  ['a removed item where all have gone', ['a', 'b', 'c'], ['a', 'c'], [], ['b']],
  ['nothing where what was added is gone', [], [{ id: 1 }], [], []],
  [
    'what came back with its fields in another order',
    [],
    [{ type: 'file', id: 1 }],
    [{ id: 1, type: 'file' }],
    [],
  ],
  ['only what was added', [{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 2 }], []],
])('puts back %s', (_name, before, after, now, expected) => {
  expect(mergeUndo(before, after, now)).toEqual(expected);
});
