import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutsOf, inputs } from '../fixtures/property.ts';
import { readEvents, type StreamedEvent } from './support/read-events.ts';

/** A stream of lines that mean something, or nearly so; with a mark at its beginning now and then. */
const stream = fc
  .tuple(
    fc.constantFrom('', '', '\uFEFF'),
    fc.constantFrom('data:', ':', 'event:', 'retry:1\n', '\r\n:', '{"a":1}', '<p>'),
    fc.array(
      fc.tuple(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom('data:', 'data: ', 'data:  ', 'data') },
          { weight: 3, arbitrary: fc.constant('') },
          fc.constantFrom(
            'event:',
            'event',
            ':',
            'id:',
            'retry:',
            ' data:',
            'Data:',
            'dat\0a:',
            '',
          ),
        ),
        fc.oneof(
          { weight: 2, arbitrary: fc.constant('') },
          fc.string({
            unit: fc.constantFrom('a', ':', ' ', '{', '}', '"', '…', '😀', '\0', '\uFEFF'),
            maxLength: 6,
          }),
          fc.constantFrom(
            '{"a":1}',
            '"error"',
            '[DONE',
            'sk-canary-',
            '7Qz93xKdlmP',
            '\u2028',
            '\u0085',
          ),
        ),
        fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
      ),
      { maxLength: 30 },
    ),
  )
  .map(([mark, start, lines]) => mark + start + lines.map((line) => line.join('')).join(''));

/** As https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation reads it, all at once. */
function eventsOf(text: string): StreamedEvent[] {
  const events: StreamedEvent[] = [];
  let data: string[] = [];
  let name = '';
  for (const line of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
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

it('the same bytes are the same events, however they are cut on their way, and those of the specification', async () => {
  // A body that starts like JSON or a web page is read as such, whatever its type.
  const isStream = (text: string) => !/^\s*[{<]/.test(text);
  const cut = stream.filter(isStream).chain((text) => {
    // Nothing is left open: what then counts is not in the specification.
    const bytes = Buffer.from(`${text}\n\n`);
    return fc.tuple(fc.constant(bytes), cutsOf(bytes.length));
  });
  await fc.assert(
    fc.asyncProperty(cut, fc.constantFrom(null, 'sk-none-of-it'), async ([bytes, cuts], key) => {
      const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end));
      const events = await readEvents(pieces, key);
      expect(events).toEqual(eventsOf(bytes.toString()));
    }),
    inputs(1500),
  );
});

it('the end of a stream that was cut does not depend on its pieces either', async () => {
  const cut = stream.chain((text) => {
    const bytes = Buffer.from(text);
    return fc.tuple(fc.constant(bytes), cutsOf(bytes.length));
  });
  await fc.assert(
    fc.asyncProperty(cut, async ([bytes, cuts]) => {
      const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end));
      expect(await readEvents(pieces, null)).toEqual(await readEvents([bytes], null));
    }),
    inputs(800),
  );
});

it('a key is in no event, nor over several, wherever the reply repeats it and however it is cut', async () => {
  const key = 'sk-canary-7Qz93xKdlmP';
  const text = fc.array(
    fc.oneof(
      fc.constantFrom('a', ' ', key, `${key}${key}`, key.slice(0, 12)),
      fc.nat({ max: key.length }).map((at) => `${key.slice(0, at)}\n${key.slice(at)}`),
    ),
    { maxLength: 8 },
  );
  const said = text.chain((parts) => {
    const frames = parts
      .join('')
      .split('\n')
      .map(
        (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
      )
      .join('');
    const bytes = Buffer.from(frames);
    return fc.tuple(fc.constant(bytes), cutsOf(bytes.length));
  });
  await fc.assert(
    fc.asyncProperty(said, async ([bytes, cuts]) => {
      const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end));
      const events = await readEvents(pieces, key);
      const whole = events
        .map((event) => JSON.parse(String(event)).choices[0].delta.content)
        .join('');
      expect(whole).not.toContain(key);
    }),
    inputs(800),
  );
});
