import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { serveTestMedia } from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

describe('a growing media item', () => {
  test('serves the whole item to 100 requests while it completes', async () => {
    const { media, client } = await serveTestMedia();
    for (let round = 0; round < 100; round += 1) {
      const bytes = wav({ seconds: 1 + (round % 5) });
      bytes.writeInt16LE(round, 44);
      const writer = media.begin({ name: null, declaredType: 'audio/wav' });
      await writer.write(bytes);
      const finished = writer.finish();
      // Start a little later in each round, from before the file ends until after it is measured.
      for (let turn = 0; turn < round % 20; turn += 1) await nextTurn();
      const reply = await client.read(`/media/${writer.id}`);
      expect([reply.status, reply.bytes.equals(bytes)]).toEqual([200, true]);
      await finished;
    }
  });
});
