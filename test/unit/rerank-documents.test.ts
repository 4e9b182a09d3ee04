import { expect, it } from 'vitest';
import {
  appendDocuments,
  getDocuments,
  getLines,
  mergeColumns,
  numberDocuments,
  readDocuments,
  readJsonDocuments,
} from '../../renderer/run/form/documents/documents.ts';

it('sends every line that is not blank', () => {
  expect(getDocuments('one\n\n  \n two \r\n')).toEqual(['one', ' two \r']);
  expect(getDocuments('')).toEqual([]);
});

it('numbers documents, skipping empty lines', () => {
  expect(numberDocuments(getLines('one\n\n \ntwo\n'))).toEqual([1, null, null, 2, null]);
});

it('appends documents', () => {
  expect(appendDocuments('', ['a', 'b'])).toBe('a\nb');
  expect(appendDocuments('x\n', ['a'])).toBe('x\na');
});

it.each<[name: string, content: string, documents: string[] | null]>([
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
    '[{"id":"d1","abstract":"Sentence one."},{"id":"d2","summary":"Sentence two."}]',
    ['Sentence one.', 'Sentence two.'],
  ],
  ['titles.jsonl', '{"url":"https://e.com/whales/singing","title":"Whales sing"}', ['Whales sing']],
  ['links.jsonl', '{"a":"https://a.e","b":"https://a.e/鲸鱼"}', ['https://a.e/鲸鱼']],
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

it.each([
  ['["a"]', ['a']],
  ['[1, 2]', null],
  ['[not json', null],
  ['[]', null],
  ['a line', null],
])('reads %s as pasted JSON documents', (text, documents) => {
  expect(readJsonDocuments(text)).toEqual(documents);
});

it.each([
  ['table.csv', 'id,text,url\n1,a,u', 'table.csv: the text is in text; kept id and url.'],
  ['table.csv', '7,one two three\n8,four', 'table.csv: the text is in column 2; kept column 1.'],
  ['table.csv', 'text\na', null],
  [
    'lines.jsonl',
    '{"id":1,"text":"a"}\n{"title":"b b"}',
    'lines.jsonl: the text is in text and title; kept id.',
  ],
  ['list.json', '["a"]', null],
  ['lines.txt', 'a\nb', null],
])('names the text and the other columns of %s: %s', (name, content, note) => {
  expect(readDocuments(name, content)).toMatchObject({ ok: true, note });
});

it('keeps the other columns of each document while it is listed', () => {
  const csv = readDocuments('table.csv', 'id,text,url\n1,a,u\n2,b,');
  const json = readDocuments('list.json', '[{"text": "c", "page": 3, "none": null}]');
  if (!csv.ok || !json.ok) return expect.fail();
  expect(csv.columns).toEqual({ a: { id: '1', url: 'u' }, b: { id: '2' } });
  expect(json.columns).toEqual({ c: { page: '3' } });
  expect(mergeColumns('b\nc', csv.columns, json.columns)).toEqual({
    b: { id: '2' },
    c: { page: '3' },
  });
});
