import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusingDisk } from '../fixtures/full-disk.ts';
import { jsonOf, type MediaClient, serveTestMedia, store } from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

async function begin(client: MediaClient, query = ''): Promise<string> {
  const { status, bytes } = await client.read(`/media${query}`, { method: 'POST' });
  expect(status).toBe(201);
  return z.object({ id: z.string() }).parse(jsonOf(bytes)).id;
}

describe('an upload', () => {
  test('receives slices and creates a media item', async () => {
    const { client } = await serveTestMedia();
    const bytes = wav({ seconds: 3 });
    const id = await begin(client, '?name=a%20tone.wav&type=audio%2Fwav');
    const put = (offset: number, body: Buffer) =>
      client.read(`/media/${id}?offset=${offset}`, { method: 'PUT', body });
    expect((await put(0, bytes.subarray(0, 20_000))).status).toBe(204);
    expect((await put(20_000, bytes.subarray(20_000))).status).toBe(204);
    const finished = await client.read(`/media/${id}/finish`, { method: 'POST' });
    expect([finished.status, jsonOf(finished.bytes)]).toMatchObject([
      200,
      { id, name: 'a tone.wav', type: 'audio/wav', durationSeconds: 3, complete: true },
    ]);
    const again = await client.read(`/media/${id}/finish`, { method: 'POST' });
    expect(jsonOf(again.bytes)).toEqual(jsonOf(finished.bytes));
    expect((await client.read(`/media/${id}`)).bytes.equals(bytes)).toBe(true);
  });

  test('returns where to continue if a slice repeats or is missing', async () => {
    const { media, client } = await serveTestMedia();
    const id = await begin(client);
    const put = (offset: number) =>
      client.read(`/media/${id}?offset=${offset}`, { method: 'PUT', body: Buffer.from('12345') });
    const replies = await Promise.all([put(0), put(0)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
    const early = await put(10);
    expect([early.status, jsonOf(early.bytes)]).toEqual([409, { expected: 5 }]);
    expect(media.get(id)?.sizeBytes).toBe(5);
  });

  test('discards a truncated slice', async () => {
    const { media, client } = await serveTestMedia();
    const id = await begin(client);
    const whole = await client.read(`/media/${id}?offset=0`, {
      method: 'PUT',
      body: Buffer.from('first'),
    });
    expect(whole.status).toBe(204);
    const broken = client.send(`/media/${id}?offset=5`, {
      method: 'PUT',
      headers: { 'content-length': '100' },
      body: Buffer.from('only a part'),
      breakOff: true,
    });
    await expect(broken).rejects.toThrow();
    const rest = await client.read(`/media/${id}?offset=5`, {
      method: 'PUT',
      body: Buffer.from(' last'),
    });
    expect(rest.status).toBe(204);
    expect((await media.writer(id)?.finish())?.sizeBytes).toBe(10);
  });

  test('rejects slices over 4 MB, and slices without an offset', async () => {
    const { client } = await serveTestMedia();
    const id = await begin(client);
    const large = await client.read(`/media/${id}?offset=0`, {
      method: 'PUT',
      headers: { 'content-length': String(4 * 1024 * 1024 + 1), expect: '100-continue' },
    });
    expect([large.status, jsonOf(large.bytes)]).toMatchObject([400, { kind: 'invalid-request' }]);
    const lost = await client.read(`/media/${id}`, { method: 'PUT', body: Buffer.from('x') });
    expect(lost.status).toBe(400);
  });

  test('is deleted if it fills the disk', async () => {
    const disk = await refusingDisk();
    const { home, media, client } = await serveTestMedia();
    const id = await begin(client);
    const put = (offset: number) =>
      client.read(`/media/${id}?offset=${offset}`, { method: 'PUT', body: Buffer.from('12345') });
    expect((await put(0)).status).toBe(204);
    disk.fill();
    expect(jsonOf((await put(5)).bytes)).toMatchObject({
      message: 'The file couldn’t be stored: the disk is full.',
    });
    expect(readdirSync(`${home}/media/incoming`)).toEqual([]);
    disk.restore();
    expect(media.writer(id)).toBeNull();
  });

  test('can be aborted, unless it is complete or a run created it', async () => {
    const { media, client } = await serveTestMedia();
    const id = await begin(client);
    const remove = (of: string) => client.read(`/media/${of}`, { method: 'DELETE' });
    expect((await remove(id)).status).toBe(204);
    expect(media.get(id)).toBeNull();

    const kept = await store(media, wav());
    await remove(kept.id);
    expect(media.get(kept.id)).not.toBeNull();
    const output = media.begin({ name: null, declaredType: null });
    await remove(output.id);
    expect(media.writer(output.id)).not.toBeNull();
    const written = await client.read(`/media/${output.id}?offset=0`, {
      method: 'PUT',
      body: Buffer.from('x'),
    });
    expect(written.status).toBe(404);
  });
});
