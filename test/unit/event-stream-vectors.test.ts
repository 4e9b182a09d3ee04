import { expect, it } from 'vitest';
import { vectors } from './support/event-stream-vectors.ts';
import { readEvents } from './support/read-events.ts';

it.each(vectors)(
  'reads the event stream %s, whole and byte by byte',
  async (_name, stream, events) => {
    const bytes = Buffer.from(stream);
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    // The second key starts like the texts, so secrets match in part.
    for (const key of [null, 'test1234-ok']) {
      expect(await readEvents([bytes], key)).toEqual(events);
      expect(await readEvents(single, key)).toEqual(events);
    }
  },
);
