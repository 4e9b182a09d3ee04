import { existsSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodePeaks, type MediaPeaks } from '../../shared/media-peaks.ts';
import { container } from '../fixtures/containers.ts';
import { openTestMedia, serveMedia, store } from '../fixtures/media-service.ts';
import { silentMp3, wav } from '../fixtures/sounds.ts';

async function setUp() {
  const opened = openTestMedia();
  const client = await serveMedia(opened.routes);
  return {
    ...opened,
    client,
    async outline(id: string, points = 50) {
      const reply = await client.read(`/media/${id}/peaks?points=${points}`);
      return {
        status: reply.status,
        body: reply.bytes.length > 0 ? JSON.parse(`${reply.bytes}`) : null,
      };
    },
  };
}

describe('an outline from the main process', () => {
  test.each([
    ['mono', 1],
    ['stereo', 2],
  ])('outlines a WAV in %s', async (_name, channels) => {
    const { media, outline } = await setUp();
    const { id } = await store(media, wav({ seconds: 2, channels }));
    const { status, body } = await outline(id);
    const { durationSeconds, max, min } = body as MediaPeaks;
    expect([status, durationSeconds, max.length, min.length]).toEqual([200, 2, 50, 50]);
    expect(Math.max(...max)).toBeCloseTo(0.5, 3);
    expect(Math.min(...min)).toBeCloseTo(-0.5, 3);
    expect(Math.min(...max)).toBeGreaterThan(0.45);
  });

  test('outlines a WAV of any sample format', async () => {
    const { media, outline } = await setUp();
    for (const [encoding, bits, sample] of [
      [1, 8, [192]],
      [1, 24, [0, 0, 0x40]],
      [1, 32, [0, 0, 0, 0x40]],
      [3, 32, [0, 0, 0, 0x3f]],
      [3, 64, [0, 0, 0, 0, 0, 0, 0xe0, 0x3f]],
    ] as const) {
      const header = wav({ seconds: 0, claimedBytes: 0 });
      header.writeUInt16LE(encoding, 20);
      header.writeUInt16LE(bits / 8, 32);
      header.writeUInt16LE(bits, 34);
      const samples = Buffer.from(Array.from({ length: 200 }, () => sample).flat());
      const { id } = await store(media, Buffer.concat([header, samples]));
      const { body } = await outline(id, 1);
      expect(body.max[0], `${encoding}/${bits}`).toBeCloseTo(0.5, 2);
    }
  });

  test('outlines an MP3', async () => {
    const { media, outline } = await setUp();
    const { id } = await store(media, silentMp3(200));
    const { status, body } = await outline(id);
    expect([status, body.max.length, Math.max(...body.max)]).toEqual([200, 50, 0]);
    expect(body.durationSeconds).toBeCloseTo((200 * 1152) / 44_100, 0);
  });

  test('stores its outline next to the file, and rebuilds a damaged one', async () => {
    const { media, outline } = await setUp();
    const { id } = await store(media, wav());
    const path = media.peaksPath(id);
    expect(existsSync(path)).toBe(false);
    const [first, second] = await Promise.all([outline(id), outline(id)]);
    expect(second).toEqual(first);
    const { mtimeMs } = statSync(path);
    expect(await outline(id)).toEqual(first);
    expect(statSync(path).mtimeMs).toBe(mtimeMs);

    writeFileSync(path, 'no outline');
    expect(await outline(id)).toEqual(first);
    media.remove(id);
    expect(existsSync(path)).toBe(false);
  });
});

describe('an outline from the page', () => {
  test('stores the page’s outline of audio that the main process can’t decode', async () => {
    const { media, client, outline } = await setUp();
    const { id } = await store(media, await container('webm', ['audio']));
    expect(await outline(id)).toEqual({ status: 204, body: null });
    const table = { durationSeconds: 2, pairs: new Int16Array([-16_384, 16_384]) };
    const kept = await client.read(`/media/${id}/peaks`, {
      method: 'PUT',
      body: encodePeaks(table),
    });
    expect(kept.status).toBe(204);
    expect(await outline(id)).toEqual({
      status: 200,
      body: { durationSeconds: 2, max: [0.5], min: [-0.5] },
    });
  });

  test('rejects invalid peaks', async () => {
    const { media, client } = await setUp();
    const { id } = await store(media, await container('webm', ['audio']));
    const reply = await client.read(`/media/${id}/peaks`, {
      method: 'PUT',
      body: Buffer.from('x'),
    });
    expect(reply.status).toBe(400);
    expect(existsSync(media.peaksPath(id))).toBe(false);
  });
});

test('explains why a growing or deleted file has no outline', async () => {
  const { media, outline } = await setUp();
  const writer = media.begin({ name: null, declaredType: null });
  expect(await outline(writer.id)).toMatchObject({ status: 422, body: { kind: 'file' } });
  await writer.abort();
  expect(await outline(writer.id)).toMatchObject({ status: 404, body: { kind: 'not-found' } });
});
