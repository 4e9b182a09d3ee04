/** Covers text that is cut, ended, escaped or sized in unexpected ways. */
import { setImmediate as turn } from 'node:timers/promises';
import { chunk, lastChunk, streamHead } from '../fixtures/wire-server.ts';
import {
  any,
  chunked,
  type Fault,
  type FaultGroup,
  isJson,
  isStream,
  only,
  streamed,
  whole,
} from './fault.ts';
import { SOUND, type Target } from './targets.ts';

const text = ({ body }: Target): string => body.toString('latin1');
const isText = (target: Target): boolean => isStream(target) || isJson(target);
const typicalText = only('chat', 'rerank', 'transcription', 'video status');

const lines: Fault[] = [
  streamed('Lines end with CR', (target) => [text(target).replaceAll('\n', '\r')]),
  streamed('Lines end with CRLF', (target) => [text(target).replaceAll('\n', '\r\n')]),
  streamed('Lines end with CR, LF and CRLF by turns', (target) => {
    const ends = ['\r\n', '\n', '\r'];
    let count = 0;
    return [
      text(target).replaceAll('\n', () => {
        count += 1;
        return ends[count % 3] ?? '';
      }),
    ];
  }),
  streamed('CRLF, torn apart', (target) =>
    text(target)
      .replaceAll('\n', '\r\n')
      .split(/(?<=\r)/),
  ),
  whole('A byte order mark first', ({ body }) => ({ body: `\uFEFF${body.toString()}` }), {
    on: isText,
  }),
  chunked(
    'A byte order mark, a byte at a time',
    ({ body }) => [Buffer.from([0xef]), Buffer.from([0xbb]), Buffer.from([0xbf]), body],
    { on: isText },
  ),
  whole('White space first', ({ body }) => ({ body: ` \r\n\t\n${body.toString()}` }), {
    on: isText,
  }),
  whole('A NUL first', ({ body }) => ({ body: `\0${body.toString()}` }), { on: isText }),
  whole('A NUL at the end', ({ body }) => ({ body: `${body.toString()}\0` }), { on: isText }),
  whole(
    'NULs in the text',
    ({ body }) => ({ body: body.toString().replace('Bravo', 'Bravo\0\0') }),
    {
      on: isText,
    },
  ),
  whole('UTF-16', ({ body }) => ({ body: Buffer.from(`\uFEFF${body.toString()}`, 'utf16le') }), {
    on: isText,
    words: () => [],
    isGarbled: true,
  }),
  whole(
    'Bytes that are no UTF-8',
    ({ body }) => ({
      body: Buffer.from(body.toString().replace('Bravo', 'Bravo \u00ff\u00c3'), 'latin1'),
    }),
    { on: isText, isGarbled: true },
  ),
  streamed('No space behind the colon', (target) => [text(target).replaceAll('data: ', 'data:')]),
  streamed('Ends without the last empty line', (target) => [text(target).trimEnd()]),
  streamed('Single line ends between events', (target) => [text(target).replaceAll('\n\n', '\n')]),
  streamed('Fields and events of other names', (target) => [
    `retry: 10\nid: 7\nevent: ping\ndata: {}\n\nfoo: bar\nnonsense\n\n${text(target)}`,
  ]),
];

/** A short body with characters of two and four bytes. */
const small = Buffer.concat([
  Buffer.from(streamHead),
  chunk('data: {"choices":[{"delta":{"content":"Alpha é"},"text":"Alpha 😀"}]}\n\n'),
  chunk('data: [DONE]\n\n'),
  Buffer.from(lastChunk),
]);

/** Splits a response at every position. Positions with the same outcome share a line. */
function everySplit(to: string): Fault {
  return {
    name: 'Split in two at every third byte',
    on: only(to),
    places: () => small.length,
    words: () => ['Alpha é'],
    async answer({ send }, _target, place) {
      await send(small.subarray(0, place));
      await turn();
      await turn();
      await send(small.subarray(place));
    },
  };
}

function everyCut(to: string): Fault {
  return {
    name: 'Cut at every third byte',
    on: only(to),
    places: () => small.length,
    async answer({ send, end }, _target, place) {
      await send(small.subarray(0, place));
      end();
    },
  };
}

/** Heads are parsed alike for all requests, so one text is enough. */
const said = 'Alpha é😀';
const smallBodies: Record<string, Buffer> = {
  rerank: Buffer.from(
    `{"results":[{"index":0,"relevance_score":0.5,"document":{"text":"${said}"}}]}`,
  ),
  speech: Buffer.concat([SOUND.subarray(0, 44), Buffer.from('Alpha…')]),
  transcription: Buffer.from(`{"text":"${said}"}`),
};
/** Maps a request to the part of its text that is kept, if that isn't all of `said`. */
const wordOf: Record<string, string> = { speech: 'Alpha…' };
const smallBody = ({ name }: Target): Buffer => smallBodies[name] ?? Buffer.alloc(0);

function everyBodySplit(isCut: boolean): Fault {
  return {
    name: `A body, ${isCut ? 'cut' : 'split in two'} at every third byte`,
    on: only(...Object.keys(smallBodies)),
    places: (target) => smallBody(target).length,
    ...(!isCut && { words: ({ name }) => [wordOf[name] ?? said] }),
    async answer({ send, end }, target, place) {
      const body = smallBody(target);
      await send(
        `HTTP/1.1 200 OK\r\nContent-Type: ${target.type}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      await send(body.subarray(0, place));
      if (isCut) return end();
      await turn();
      await turn();
      await send(body.subarray(place));
    },
  };
}

const TEN_MB = 10 * 1024 * 1024;
const delta = (content: string): string =>
  `data: {"choices":[{"index":0,"delta":{"content":"${content}"},"text":"${content}"}]}\n\n`;

const calls = Array.from(
  { length: 20_000 },
  (_, at) => `{"index":${at},"id":"c${at}","function":{"name":"f","arguments":"{}"}}`,
);
const choices = Array.from(
  { length: 30_000 },
  (_, at) => `{"index":${at + 1},"delta":{"content":"x"},"text":"x"}`,
);

const sizes: Fault[] = [
  streamed('A line of 10 MB', ({ events }) => [delta('x'.repeat(TEN_MB)), events.join('')]),
  streamed(
    '30,000 choices',
    ({ events }) => [`data: {"choices":[${choices}]}\n\n`, events.join('')],
    { tries: any },
  ),
  chunked(
    '20,000 tool calls',
    ({ events }) => [
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[${calls}]}}]}\n\n`,
      events.join(''),
    ],
    { on: only('chat') },
  ),
  streamed('A comment of 10 MB', ({ events }) => [`: ${'x'.repeat(TEN_MB)}\n\n`, events.join('')]),
  streamed('A million empty lines', ({ events }) => ['\n'.repeat(1_000_000), events.join('')]),
  streamed('50,000 comments', ({ events }) => [': PROCESSING\n\n'.repeat(50_000), events.join('')]),
  streamed('20,000 deltas without text', ({ events }) => [
    delta('').repeat(20_000),
    events.join(''),
  ]),
  whole(
    'A body of 10 MB',
    ({ body }) => ({
      body: body.toString().replace('Bravo', `Bravo${'x'.repeat(TEN_MB)}`),
    }),
    { on: only('image', 'rerank', 'transcription') },
  ),
  whole(
    '10 MB of white space first',
    ({ body }) => ({ body: Buffer.concat([Buffer.alloc(TEN_MB, ' \r\n\t'), body]) }),
    { on: only('image', 'rerank', 'transcription') },
  ),
  whole(
    'An error of 10 MB',
    () => ({
      status: '500 Internal Server Error',
      type: 'application/json',
      body: `{"error":{"message":"Alpha ${'x'.repeat(TEN_MB)}"}}`,
    }),
    { on: only('chat', 'speech') },
  ),
  whole(
    'A list of 100,000 numbers beside it',
    ({ body }) => ({
      body: body.toString().replace('{', `{"pad":[${'1,'.repeat(100_000)}1],`),
    }),
    { on: only('image') },
  ),
];

/** Inserts JSON into the first object of each body, or of its first event. */
function beside(name: string, json: string): Fault {
  return {
    name,
    on: isText,
    isFramed: true,
    async answer(wire, target) {
      const body = target.body.toString().replace('{', `{${json},`);
      if (!isStream(target)) {
        const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
        return wire.send(head + body);
      }
      await wire.send(streamHead);
      await wire.send(chunk(body));
      await wire.send(lastChunk);
    },
  };
}

const oddities: Fault[] = [
  streamed('Two objects in one data line', ({ events }) => {
    const [first = '', second = '', ...rest] = events;
    return [`${first.trimEnd()}${second.replace('data: ', '')}${rest.join('')}`];
  }),
  streamed('An event in three data lines', ({ events }) => [
    events.map((event) => event.replace('"choices"', '\ndata: "choices"\ndata: ')).join(''),
  ]),
  whole('Two objects in one body', ({ body }) => ({ body: body.toString().repeat(2) }), {
    on: isJson,
  }),
  beside('The same key twice', '"model":"first","model":"second"'),
  beside(
    'A number beyond any range',
    `"created":1e999,"more":-${'9'.repeat(400)},"id":9007199254740993`,
  ),
  beside('Lone surrogates', '"note":"\\ud800 \\udfff","\\ud83d":1'),
  beside('Keys of JavaScript', '"__proto__":{"a":1},"constructor":{"prototype":1},"toString":null'),
  beside('Depth of 10,000', `"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}`),
  beside('Depth of 100,000', `"deep":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  beside('Every field null', '"usage":null,"error":null,"code":null,"model":null,"id":null'),
  beside(
    'Fields of other types',
    '"usage":7,"model":{"a":[]},"id":[1],"created":"now","object":false',
  ),
  whole(
    'JSON with a comma too many',
    ({ body }) => ({ body: `${body.toString().slice(0, -1)},}` }),
    {
      on: isJson,
    },
  ),
  whole(
    'NaN in the JSON',
    ({ body }) => ({ body: body.toString().replace('{', '{"score":NaN,') }),
    {
      on: isJson,
    },
  ),
  ...['null', '"Alpha"', '[]', '{}', '[null]'].map((body) =>
    whole(`A body of \`${body}\``, () => ({ type: 'application/json', body }), { tries: any }),
  ),
];

export const texts: FaultGroup[] = [
  { title: 'Lines and characters', tries: typicalText, faults: lines },
  {
    title: 'Splits and cuts',
    faults: [everySplit('chat'), everyCut('chat'), everyBodySplit(false), everyBodySplit(true)],
  },
  { title: 'Sizes', tries: only('chat', 'image', 'transcription'), faults: sizes },
  { title: 'JSON', tries: typicalText, faults: oddities },
];
