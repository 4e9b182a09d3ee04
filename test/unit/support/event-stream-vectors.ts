/** Event streams of wpt/eventsource (format-* and event-data), with the events that they contain. */
import type { StreamedEvent } from './read-events.ts';

const BOM = '\uFEFF';
const long = 'x'.repeat(2048);
export const vectors: [name: string, stream: string, events: StreamedEvent[]][] = [
  ['bom', `${BOM}data:1\n\n${BOM}data:2\n\ndata:3\n\n`, ['1', '3']],
  ['bom-2', `${BOM}${BOM}data:1\n\ndata:2\n\ndata:3\n\n`, ['2', '3']],
  [
    'comments',
    `data:1\r:\0\n:\r\ndata:2\n:${long}\rdata:3\n:data:fail\r:${long}\ndata:4\n\n`,
    ['1\n2\n3\n4'],
  ],
  ['data-before-final-empty-line', 'retry:1000\ndata:test1\n\nid:test\ndata:test2', ['test1']],
  ['field-data', 'data:\n\ndata\ndata\n\ndata:test\n\n', ['', '\n', 'test']],
  ['field-event-empty', 'event: \ndata:data\n\n', ['data']],
  ['field-event', 'event:test\ndata:x\n\ndata:x\n\n', [{ event: 'test', data: 'x' }, 'x']],
  ['field-id', 'id: 1\ndata:hello\n\ndata:again\n\n', ['hello', 'again']],
  ['field-id, spelled otherwise', 'Id: 1\nid 2\nid\ndata:hello\n\n', ['hello']],
  ['field-id-2', 'id: …\ndata:1\n\nid\ndata:2\n\ndata:3\n\n', ['1', '2', '3']],
  ['field-id-3, persists', 'id: 1\ndata: 1\n\ndata: 2\n\n', ['1', '2']],
  ['field-id-3, resets', 'id: 1\ndata: 1\n\nid:\ndata: 2\n\nid\ndata:3\n\n', ['1', '2', '3']],
  ['field-id-null', 'id: \0\0\ndata:hello\n\ndata:hello\n\n', ['hello', 'hello']],
  [
    'field-parsing',
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    ['\0\n 2\n1\n3\n\n4'],
  ],
  ['field-retry', 'retry:03000\ndata:x\n\n', ['x']],
  ['field-retry-bogus', 'retry:3000\nretry:1000x\ndata:x\n\n', ['x']],
  ['field-retry-empty', 'retry\ndata:test\n\n', ['test']],
  [
    'field-unknown',
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n',
    ['test\n\ntest'],
  ],
  ['leading-space', 'data:\ttest\rdata: \ndata:test\n\n', ['\ttest\n\ntest']],
  ['newlines', 'data:test\r\ndata\ndata:test\r\n\r', ['test\n\ntest']],
  ['newlines, all three as the blank line', 'data:1\r\rdata:2\n\ndata:3\r\n\r\n', ['1', '2', '3']],
  ['null-character', 'data:\0\n\n\n\n', ['\0']],
  ['utf-8', 'data:ok…\n\n', ['ok…']],
  ['utf-8, emoji', 'event:😀\ndata:Grüße 世界 😀\n\n', [{ event: '😀', data: 'Grüße 世界 😀' }]],
  [
    'event-data',
    'data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n',
    ['msg\nmsg', '', 'end'],
  ],
  [
    'field-name-event',
    'event: a\nevent: testevent\ndata: x\n\nevent: lost\n\ndata: y\n\n',
    [{ event: 'testevent', data: 'x' }, 'y'],
  ],
];
