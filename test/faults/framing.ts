/** Covers wrong lengths, encodings and chunk sizes. */
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { chunk, lastChunk, streamHead } from '../fixtures/wire-server.ts';
import {
  any,
  type Fault,
  type FaultGroup,
  isStream,
  NEVER_GOES_ON,
  only,
  typical,
  whole,
} from './fault.ts';
import { goodReply, type Target, WORDS } from './targets.ts';

/** Sends a handwritten head and the given bytes, and closes the connection if asked to. */
function raw(
  name: string,
  head: (target: Target) => string,
  body: (target: Target) => string | Uint8Array = ({ body }) => body,
  more: Partial<Fault> & { staysOpen?: boolean } = {},
): Fault {
  const { staysOpen = false, ...fault } = more;
  return {
    name,
    async answer({ send, end }, target) {
      const lines = head(target);
      await send(`HTTP/1.1 200 OK\r\nContent-Type: ${target.type}\r\n${lines}\r\n`);
      await send(body(target));
      if (!staysOpen) end();
    },
    closes: !staysOpen,
    ...fault,
  };
}

/** Truncates the body in the middle of the second word. */
const half = ({ body }: Target): Buffer => body.subarray(0, body.indexOf('Bravo') + 3);

/** Marks bytes after the declared length as not part of the response. */
const none = { words: () => [] };
const wordsIn = (bytes: Uint8Array): string[] =>
  WORDS.filter((word) => Buffer.from(bytes).includes(word));

const lengths: Fault[] = [
  raw(
    'Content-Length too small by 5',
    ({ body }) => `Content-Length: ${body.length - 5}\r\n`,
    undefined,
    { words: ({ body }) => wordsIn(body.subarray(0, -5)) },
  ),
  raw('Content-Length too large by 5', ({ body }) => `Content-Length: ${body.length + 5}\r\n`),
  raw(
    'Content-Length too large, connection stays open',
    ({ body }) => `Content-Length: ${body.length + 5}\r\n`,
    undefined,
    { ...NEVER_GOES_ON, staysOpen: true },
  ),
  raw('No Content-Length, connection closed', () => ''),
  raw('No Content-Length, cut in the middle', () => '', half),
  raw('No Content-Length, connection stays open', () => '', undefined, {
    ...NEVER_GOES_ON,
    staysOpen: true,
  }),
  raw(
    'Content-Length twice, the same',
    ({ body }) => `Content-Length: ${body.length}\r\n`.repeat(2),
    undefined,
    none,
  ),
  raw(
    'Content-Length twice, different',
    () => 'Content-Length: 5\r\nContent-Length: 6\r\n',
    undefined,
    none,
  ),
  raw('Content-Length that is no number', () => 'Content-Length: many\r\n', undefined, none),
  raw('Content-Length below zero', () => 'Content-Length: -1\r\n', undefined, none),
  raw('Content-Length of 0', () => 'Content-Length: 0\r\n', undefined, none),
  raw(
    'Content-Length beside chunks',
    () => 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    (target) => Buffer.concat([Buffer.from(chunk(target.body)), Buffer.from(lastChunk)]),
    none,
  ),
];

const chunkedHead = () => 'Transfer-Encoding: chunked\r\n';
const chunks: Fault[] = [
  raw('Chunks cut within a chunk', chunkedHead, (target) => {
    const bytes = Buffer.from(chunk(target.body));
    return bytes.subarray(0, bytes.indexOf('Bravo') + 3);
  }),
  raw('Chunks without the last one', chunkedHead, ({ body }) => chunk(body)),
  raw('Chunks that end within the last one', chunkedHead, ({ body }) =>
    Buffer.concat([Buffer.from(chunk(body)), Buffer.from('0\r\n')]),
  ),
  raw('An invalid chunk size', chunkedHead, (target) =>
    Buffer.concat([Buffer.from(chunk(half(target))), Buffer.from('zz\r\noops\r\n')]),
  ),
  raw('A chunk size that is endless', chunkedHead, (target) =>
    Buffer.concat([Buffer.from(chunk(half(target))), Buffer.from(`${'f'.repeat(40)}\r\n`)]),
  ),
  raw(
    'A chunk for each byte',
    chunkedHead,
    ({ body }) =>
      Buffer.concat([
        ...[...body].map((byte) => chunk(Uint8Array.of(byte))),
        Buffer.from(lastChunk),
      ]),
    { words: () => WORDS },
  ),
  raw('Chunks with extensions and trailers', chunkedHead, ({ body }) =>
    Buffer.concat([
      Buffer.from(`${body.length.toString(16)};name="value"\r\n`),
      body,
      Buffer.from('\r\n0\r\nX-Trailer: 1\r\n\r\n'),
    ]),
  ),
];

const headless = (name: string, bytes: string): Fault => ({
  name,
  async answer({ send, end }) {
    await send(bytes);
    end();
  },
  words: () => [],
});

const heads: Fault[] = [
  headless('No head at all', 'Alpha Bravo Charlie\r\n\r\n'),
  headless('HTTP/0.9: only the body', '{"text":"Alpha"}'),
  headless('Half of a head', 'HTTP/1.1 200 OK\r\nContent-Ty'),
  headless('HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  headless('A greeting of a mail server', '220 mail.example ESMTP\r\n'),
  headless('An invalid status', 'HTTP/1.1 abc OK\r\n\r\n'),
  headless('A head of 300 kB', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(300_000)}\r\n\r\n`),
  headless(
    '10,000 header lines',
    `HTTP/1.1 200 OK\r\n${'X-Many: 1234567890123456789012\r\n'.repeat(10_000)}\r\n`,
  ),
  headless(
    'A switch of protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ),
  {
    name: 'HTTP/1.0 without a length',
    async answer({ send, end }, { type, body }) {
      await send(`HTTP/1.0 200 OK\r\nContent-Type: ${type}\r\n\r\n`);
      await send(body);
      end();
    },
  },
  {
    name: 'A head that ends its lines with LF alone',
    words: () => [],
    answer: ({ send }, { type, body }) =>
      send(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\nContent-Type: ${type}\nContent-Length: ${body.length}\n\n`),
          body,
        ]),
      ),
  },
  {
    name: 'A second reply after the first',
    answer: ({ send }, target) => send(Buffer.concat([goodReply(target), goodReply(target)])),
  },
];

/** Bodies with another type, which each operation reads in its own way. */
const types: Fault[] = [
  whole('No Content-Type', () => ({ type: '' })),
  whole('A wrong Content-Type', ({ type }) => ({
    type: type === 'application/json' ? 'text/plain' : 'application/octet-stream',
  })),
  whole('Labeled as a web page', () => ({ type: 'text/html' })),
  whole('Labeled as JSON', () => ({ type: 'application/json' })),
  whole('Labeled as an event stream', () => ({ type: 'text/event-stream' })),
];

const upTo = { finishFlush: constants.Z_SYNC_FLUSH };
/** Encoders by content coding. `unpackCut` decodes as much of a truncated body as possible. */
const codings = {
  gzip: { pack: gzipSync, unpackCut: (bytes: Uint8Array) => gunzipSync(bytes, upTo) },
  deflate: { pack: deflateSync, unpackCut: (bytes: Uint8Array) => inflateSync(bytes, upTo) },
  br: {
    pack: brotliCompressSync,
    unpackCut: (bytes: Uint8Array) =>
      brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  },
  zstd: {
    pack: zstdCompressSync,
    unpackCut: (bytes: Uint8Array) =>
      zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush }),
  },
};

const packed = Object.entries(codings).flatMap(([coding, { pack, unpackCut }]): Fault[] => {
  // The decoder doesn't depend on the operation, so try all requests with one coding only.
  const tries = coding === 'gzip' ? typical : only('chat', 'speech');
  const headers = { 'Content-Encoding': coding };
  const cut = (body: Buffer) => pack(body).subarray(0, -12);
  return [
    whole(coding, ({ body }) => ({ headers, body: pack(body) }), { tries, words: () => WORDS }),
    whole(`${coding}, cut`, ({ body }) => ({ headers, body: cut(body) }), {
      tries,
      words: ({ body }) => wordsIn(unpackCut(cut(body))),
    }),
    whole(`${coding}, but it is not`, () => ({ headers }), { tries, words: () => [] }),
  ];
});

/** A body slightly above the limit; a bomb of any size stops there. */
const FILLER = Buffer.alloc(34 * 1024 * 1024, ' ');

const bomb = (to: string, coding: string, pack: (bytes: Buffer) => Buffer): Fault =>
  whole(
    `${coding}, a bomb`,
    ({ body, events }) => ({
      headers: { 'Content-Encoding': coding },
      body: pack(
        events.length === 0
          ? Buffer.concat([body, FILLER])
          : Buffer.concat([Buffer.from(`${events.slice(0, 3).join('')}:`), FILLER]),
      ),
    }),
    { words: () => WORDS, isHeavy: true, isFramed: false, on: only(to), tries: any },
  );
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const bombs = [
  bomb('chat', 'gzip', (bytes) => gzipSync(bytes, { level: 1 })),
  bomb('transcription', 'br', (bytes) => brotliCompressSync(bytes, quick)),
  bomb('image', 'zstd', zstdCompressSync),
];

const twice = (body: Uint8Array): Buffer => gzipSync(gzipSync(body));

const others: Fault[] = [
  whole('A coding that is not known', () => ({ headers: { 'Content-Encoding': 'rot13' } }), {}),
  whole(
    'gzip, twice',
    ({ body }) => ({ headers: { 'Content-Encoding': 'gzip, gzip' }, body: twice(body) }),
    { words: () => WORDS },
  ),
  {
    name: 'gzip, a stream that is never flushed to its end',
    on: isStream,
    words: () => WORDS,
    async answer({ send, end }, { body }) {
      await send(streamHead.replace('\r\n\r\n', '\r\nContent-Encoding: gzip\r\n\r\n'));
      await send(chunk(gzipSync(body)));
      end();
    },
  },
];

export const framing: FaultGroup[] = [
  { title: 'Lengths', tries: typical, faults: lengths },
  { title: 'Chunks', tries: typical, faults: chunks },
  { title: 'Heads', tries: typical, faults: heads },
  { title: 'Content types', faults: types },
  { title: 'Compression', tries: typical, faults: [...packed, ...bombs, ...others] },
];
