import { describe, expect, it } from 'vitest';
import { createRandom } from '../fixtures/random.ts';
import { vectors } from './support/event-stream-vectors.ts';
import { readEvents } from './support/read-events.ts';

describe('the event stream', () => {
  it.each(vectors)('reads %s however it is chunked', async (_name, stream, events) => {
    const bytes = Buffer.from(stream);
    // The second key starts like the texts, so secrets match in part.
    for (const key of [null, 'test1234-ok']) {
      const step = Math.ceil(bytes.length / 200);
      for (let at = 1; at < bytes.length; at += step) {
        expect(await readEvents([bytes.subarray(0, at), bytes.subarray(at)], key)).toEqual(events);
      }
      const random = createRandom(bytes.length).next;
      for (let round = 0; round < 30; round += 1) {
        expect(await readEvents(anyPieces(bytes, random), key)).toEqual(events);
      }
    }
  });
});

/** Splits the bytes into chunks, some of them empty. */
function* anyPieces(bytes: Buffer, random: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = Math.floor(random() * 6);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
