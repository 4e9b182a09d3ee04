import { expect, it } from 'vitest';
import { replyKind } from '../../electron/gateway/reply-kind.ts';
import { readHead } from '../../electron/gateway/response-head.ts';

const BOM = '\uFEFF';

it.each([
  ['text/event-stream', `${BOM}data: a\n\n`, 'stream'],
  ['text/event-stream', `${BOM}{"a":1}`, 'document'],
  ['application/json', `${BOM}data: a\n\n`, 'stream'],
  ['application/json', `${BOM}{"a":1}`, 'document'],
])('%s that begins with %j is a %s, also where its mark comes in pieces', (type, text, kind) => {
  const head = readHead(200, [Buffer.from('content-type'), Buffer.from(type)]);
  const bytes = Buffer.from(text);
  for (const length of [1, 2, 3]) {
    expect(replyKind('json', head, bytes.subarray(0, length), false)).toBeNull();
  }
  expect(replyKind('json', head, bytes, false)).toBe(kind);
});
