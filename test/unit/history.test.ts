import { expect, test } from 'vitest';
import { replyMedia, replyText } from '../../renderer/features/history/reply-text.ts';
import { between, neighbourOf, toggled } from '../../renderer/features/history/selection.ts';
import type { JsonValue } from '../../shared/json.ts';

const ids = ['a', 'b', 'c', 'd'];

test('marks the rows between two, whichever came first', () => {
  expect([...between(ids, 'b', 'd')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'd', 'b')]).toEqual(['b', 'c', 'd']);
  expect([...between(ids, 'gone', 'b')]).toEqual(['b']);
});

test('marks and unmarks one', () => {
  expect([...toggled(new Set(['a']), 'b')]).toEqual(['a', 'b']);
  expect([...toggled(new Set(['a']), 'a')]).toEqual([]);
});

test('shows the next run once those are deleted', () => {
  expect(neighbourOf(ids, new Set(['b']), 'b')).toBe('c');
  expect(neighbourOf(ids, new Set(['c', 'd']), 'd')).toBe('b');
  expect(neighbourOf(ids, new Set(['a']), 'c')).toBe('c');
  expect(neighbourOf(ids, new Set(ids), 'a')).toBeNull();
});

test.each<[name: string, state: JsonValue, text: string]>([
  ['a completion', { choices: [{ text: 'one' }, { text: 'two' }] }, 'one\n\ntwo'],
  ['a chat', { choices: [{ content: 'hello' }] }, 'hello'],
  ['an image', { candidates: [{ parts: [{ text: 'see' }, { type: 'media' }] }] }, 'see'],
  [
    'a ranking',
    { results: [{ index: 2, relevanceScore: 0.5, document: 'd' }] },
    '0.5  document 2  d',
  ],
  ['a transcription', { text: 'spoken' }, 'spoken'],
  ['a video task', { word: 'IN_PROGRESS' }, 'Task IN_PROGRESS'],
  ['nothing', {}, ''],
  ['something else', null, ''],
])('tells what %s answered', (_name, state, text) => {
  expect(replyText(state)).toBe(text);
});

test('finds the media of a reply, one or several', () => {
  const medium = { id: 'x', sizeBytes: 1 };
  expect(replyMedia({ media: medium })).toEqual([medium]);
  expect(replyMedia({ media: [medium, medium] })).toHaveLength(2);
  expect(replyMedia({ media: null })).toEqual([]);
});
