import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf, inputs } from '../fixtures/property.ts';
import { readEvents, type StreamedEvent } from './support/read-events.ts';

/** Generates streams of valid or nearly valid lines, some with a byte order mark. */
const field = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('data:', 'data: ', 'data:  ', 'data') },
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom('event:', 'event', ':', 'id:', 'retry:', ' data:', 'Data:', 'dat\0a:', ''),
);
const value = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc.string({ unit: fc.constantFrom(...'a: {}"…😀\0\uFEFF'), maxLength: 6 }),
  fc.constantFrom(
    ...['{"a":1}', '"error"', '[DONE', 'sk-canary-', '7Qz93xKdlmP', '\u2028', '\u0085'],
  ),
);
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const stream = fc
  .tuple(
    fc.constantFrom('', '', '\uFEFF'),
    fc.constantFrom('data:', ':', 'event:', 'retry:1\n', '\r\n:', '{"a":1}', '<p>'),
    fc.array(fc.tuple(field, value, lineEnd), { maxLength: 30 }),
  )
  .map(([mark, start, lines]) => mark + start + lines.map((line) => line.join('')).join(''));

/**
 * Reads the whole stream as
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * specifies.
 */
function eventsOf(text: string): StreamedEvent[] {
  const events: StreamedEvent[] = [];
  let data: string[] = [];
  let name = '';
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const line of lines.slice(0, -1)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') {
      const joined = data.join('\n');
      if (data.length > 0) events.push(name === '' ? joined : { event: name, data: joined });
      data = [];
      name = '';
    } else if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
  }
  return events;
}

it('reads the events that the specification requires, however the bytes are chunked', async () => {
  // A body that starts like JSON or a web page is read as such, whatever its content type.
  const isStream = (text: string) => !/^\s*[{<]/.test(text);
  // The specification leaves an unfinished event undefined, so every stream ends with a blank line.
  const cut = stream.filter(isStream).chain((text) => chunksOf(`${text}\n\n`));
  const keys = fc.constantFrom(null, 'sk-none-of-it');
  await fc.assert(
    fc.asyncProperty(cut, keys, async ({ bytes, pieces }, key) => {
      expect(await readEvents(pieces, key)).toEqual(eventsOf(bytes.toString()));
    }),
    inputs(1500),
  );
});

it('ends an interrupted stream the same way, however it is chunked', async () => {
  await fc.assert(
    fc.asyncProperty(stream.chain(chunksOf), async ({ bytes, pieces }) => {
      expect(await readEvents(pieces, null)).toEqual(await readEvents([bytes], null));
    }),
    inputs(800),
  );
});
