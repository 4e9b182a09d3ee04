import { expect, it } from 'vitest';
import { mergeUndo } from '../../renderer/run/form/merge-undo.ts';

it.each([
  ['restores a value without later changes', 'old', 'new', 'new', 'old'],
  ['unsets a field that was not set', undefined, 1, 1, undefined],
  ['keeps a value that was changed since', 1, 2, 3, 3],
  ['keeps a text that was rewritten since', 'My text', 'An example', 'Other words', 'Other words'],
  ['restores a cleared text before later text', 'One\n\nTwo', '', 'Three', 'One\n\nTwo\nThree'],
  ['removes added text and keeps later text', 'Hi', 'Hi\n\nYou', 'Hi\n\nYou!', 'Hi!'],
  ['removes added text and keeps a corrected typo', 'Hli', 'Hli\nYou', 'Hi\nYou', 'Hi'],
  ['restores a replaced text before later text', 'Mine', 'Sample', 'Sample one', 'Mine one'],
  ['restores a line beside a changed one', 'a\nb\nc', 'a\nc', 'a2\nc', 'a2\nb\nc'],
  ['restores a line whose neighbor is gone', 'a\nb\nc', 'a\nc', 'a', 'a\nb'],
  ['restores an item beside a later one', ['a', 'b'], ['a'], ['a', 'c'], ['a', 'b', 'c']],
  ['restores an item of an emptied list', ['a', 'b', 'c'], ['a', 'c'], [], ['b']],
  ['keeps a list whose added item is gone', [], [{ id: 1 }], [], []],
  [
    'recognizes an item with reordered fields',
    [],
    [{ type: 'file', id: 1 }],
    [{ id: 1, type: 'file' }],
    [],
  ],
  ['removes only what was added', [{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 2 }], []],
])('%s', (_name, before, after, now, expected) => {
  expect(mergeUndo(before, after, now)).toEqual(expected);
});
