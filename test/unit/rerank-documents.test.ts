import { expect, test } from 'vitest';
import {
  documentLines,
  documentNumbers,
  getDocuments,
  readDocuments,
  readJsonDocuments,
  toText,
  withDocuments,
} from '../../renderer/features/rerank/documents.ts';

test('sends every line that has something on it', () => {
  expect(getDocuments('one\n\n  \n two \r\n')).toEqual(['one', ' two \r']);
  expect(getDocuments('')).toEqual([]);
});

test('numbers documents as they are sent, and empty lines not at all', () => {
  expect(documentNumbers(documentLines('one\n\n \ntwo\n'))).toEqual([1, null, null, 2, null]);
});

test('keeps a line break inside a document, as one line', () => {
  const text = toText(['two\nlines', 'one', 'dos\r\nlines']);
  expect(text.split('\n')).toHaveLength(3);
  expect(getDocuments(text)).toEqual(['two\nlines', 'one', 'dos\nlines']);
});

test('adds documents behind those that are there', () => {
  expect(withDocuments('', ['a', 'b'])).toBe('a\nb');
  expect(withDocuments('x\n', ['a'])).toBe('x\na');
});

test.each<[name: string, content: string, documents: string[] | null]>([
  ['notes.txt', 'one\r\ntwo\n\nthree', ['one', 'two', 'three']],
  ['no-extension', '["a", {"text": "b"}]', ['a', 'b']],
  ['list.json', '["a", {"content": "b"}, {"id": "1", "text": "c"}]', ['a', 'b', 'c']],
  ['list.json', '[{"id": "doc-17", "abstract": "A whole sentence."}]', ['A whole sentence.']],
  [
    'list.json',
    '[{"id":"d1","abstract":"A whole sentence."},{"id":"a-very-long-identifier","abstract":"Short."}]',
    ['A whole sentence.', 'Short.'],
  ],
  ['words.jsonl', '{"id":"d1","url":"https://example.com/cat","word":"cat"}', ['cat']],
  ['words.jsonl', '{"id":"doc-0001","word":"鲸鱼"}', ['鲸鱼']],
  [
    'list.json',
    '[{"id":"d1","abstract":"A sentence."},{"id":"d2","summary":"Another one."}]',
    ['A sentence.', 'Another one.'],
  ],
  [
    'titles.jsonl',
    '{"url":"https://example.com/animals/whales/singing","title":"Whales sing"}',
    ['Whales sing'],
  ],
  [
    'links.jsonl',
    '{"a":"https://a.example","b":"https://a.example/鲸鱼"}',
    ['https://a.example/鲸鱼'],
  ],
  ['list.json', '{"a": 1}', null],
  ['lines.jsonl', '{"text":"a"}\n\n{"passage":"b"}\n"c"', ['a', 'b', 'c']],
  ['lines.jsonl', '{"text":"a"}\nnot json', null],
  ['table.csv', 'id,text\n1,"a, b"\n2,c', ['a, b', 'c']],
  ['table.csv', '1,the longer one\n2,another long one', ['the longer one', 'another long one']],
  ['table.csv', 'https://example.com/animals/whales,Whales sing', ['Whales sing']],
  ['table.tsv', 'document\tid\na\t1', ['a']],
  ['empty.txt', '\n\n', null],
  ['picture.txt', 'PNG\0\0', null],
])('reads %s: %s', (name, content, documents) => {
  const read = readDocuments(name, content);
  expect(read.ok ? read.documents : null).toEqual(documents);
  if (!read.ok) expect(read.message).toContain(name);
});

test('takes only arrays of texts for pasted documents', () => {
  expect(readJsonDocuments('["a"]')).toEqual(['a']);
  expect(readJsonDocuments('[1, 2]')).toBeNull();
  expect(readJsonDocuments('[not json')).toBeNull();
  expect(readJsonDocuments('[]')).toBeNull();
  expect(readJsonDocuments('a line')).toBeNull();
});
