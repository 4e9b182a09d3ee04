import { expect, it } from 'vitest';
import { readHead } from '../../electron/gateway/response-head.ts';
import { getResponseKind } from '../../electron/gateway/response-kind.ts';

const BOM = '\uFEFF';

it.each([
  ['text/event-stream', `${BOM}data: a\n\n`, 'stream'],
  ['text/event-stream', `${BOM}{"a":1}`, 'document'],
  ['application/json', `${BOM}data: a\n\n`, 'stream'],
  ['application/json', `${BOM}{"a":1}`, 'document'],
])('reads %s that begins with %j as a %s, however it is chunked', (type, text, kind) => {
  const head = readHead(200, [Buffer.from('content-type'), Buffer.from(type)]);
  const bytes = Buffer.from(text);
  for (const length of [1, 2, 3]) {
    expect(getResponseKind('json', head, bytes.subarray(0, length), false)).toBeNull();
  }
  expect(getResponseKind('json', head, bytes, false)).toBe(kind);
});

it.each([
  ['text', 'Alpha Bravo', 'document'],
  ['text', 'data: Alpha\n\n', 'stream'],
  ['bytes', 'RIFF\0\0\0\0WAVEfmt ', 'bytes'],
  ['bytes', ': ping\n\n', 'stream'],
  ['bytes', '{"audio":"AAAA"}', 'document'],
  ['any', '{"words":[]}', 'document'],
  ['any', 'id: 1\n\n', 'stream'],
] as const)(
  'with a response type of %s, reads %j as a %s despite its stream label',
  (accepts, text, kind) => {
    const head = readHead(200, [Buffer.from('content-type'), Buffer.from('text/event-stream')]);
    expect(getResponseKind(accepts, head, Buffer.alloc(0), false)).toBeNull();
    expect(getResponseKind(accepts, head, Buffer.from(text), true)).toBe(kind);
  },
);

it('reads a long run of white space as a document', () => {
  const head = readHead(200, [Buffer.from('content-type'), Buffer.from('application/json')]);
  expect(getResponseKind('json', head, Buffer.alloc(1000, ' '), false)).toBeNull();
  expect(getResponseKind('json', head, Buffer.alloc(65 * 1024, ' '), false)).toBe('document');
});
