import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { createWavHeader } from '../../shared/wav.ts';
import { serveTestMedia, store } from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

describe('a growing media item', () => {
  test('serves the first bytes before the last ones exist', async () => {
    const { media, client } = await serveTestMedia();
    const bytes = wav({ seconds: 20 });
    const writer = media.begin({ name: null, declaredType: 'audio/wav' });
    const replied = client.send(`/media/${writer.id}`, { headers: { range: 'bytes=0-' } });
    await writer.write(bytes.subarray(0, 5));
    await writer.write(bytes.subarray(5, 2000));
    const response = await replied;
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'audio/wav']);
    expect(response.headers).not.toHaveProperty('content-length');

    const received: Buffer[] = [];
    response.on('data', (chunk: Buffer) => received.push(chunk));
    await vi.waitFor(() => expect(Buffer.concat(received)).toEqual(bytes.subarray(0, 2000)));
    await writer.write(bytes.subarray(2000));
    const ended = once(response, 'end');
    await writer.finish();
    await ended;
    expect(Buffer.concat(received).equals(bytes)).toBe(true);
    const later = await client.read(`/media/${writer.id}`, { headers: { range: 'bytes=-4' } });
    expect(later.status).toBe(206);
  });

  test('serves raw samples as WAV to a player, and other audio unchanged', async () => {
    const { media, client } = await serveTestMedia();
    const samples = Buffer.alloc(9000, 7);
    const writer = media.begin({ name: null, declaredType: 'audio/pcm' });
    await writer.write(samples.subarray(0, 10));
    const replied = client.send(`/media/${writer.id}?wav=24000x2`);
    await writer.write(samples.subarray(10, 6000));
    const response = await replied;
    expect(response.headers).toMatchObject({ 'content-type': 'audio/wav' });
    const received: Buffer[] = [];
    response.on('data', (chunk: Buffer) => received.push(chunk));
    const shape = { sampleRate: 24_000, channels: 2 };
    const soFar = Buffer.concat([createWavHeader(shape, null), samples.subarray(0, 6000)]);
    await vi.waitFor(() => expect(Buffer.concat(received)).toEqual(soFar));
    const ended = once(response, 'end');
    await writer.write(samples.subarray(6000));
    await writer.finish();
    await ended;
    expect(Buffer.concat(received)).toHaveLength(samples.length + 44);

    const whole = await client.read(`/media/${writer.id}?wav=24000x2`);
    expect(whole.bytes).toEqual(Buffer.concat([createWavHeader(shape, samples.length), samples]));
    const { id } = await store(media, wav());
    expect((await client.read(`/media/${id}?wav=24000x2`)).bytes).toEqual(wav());
    expect((await client.read(`/media/${writer.id}?wav=1x9`)).bytes).toEqual(samples);
  });

  test('serves ranges that start at an existing or a future byte', async () => {
    const { media, client } = await serveTestMedia();
    const bytes = wav({ seconds: 2 });
    const writer = media.begin({ name: null, declaredType: 'audio/wav' });
    await writer.write(bytes.subarray(0, 1000));
    const read = (range: string, query = '') =>
      client.read(`/media/${writer.id}${query}`, { headers: { range } });
    const begin = (range: string) => client.send(`/media/${writer.id}`, { headers: { range } });
    const there = await begin('bytes=400-');
    expect((await read('bytes=400-409')).bytes.equals(bytes.subarray(400, 410))).toBe(true);
    const later = begin('bytes=1200-');
    await writer.write(bytes.subarray(1000, 1100));
    await writer.write(bytes.subarray(1100, 1500));
    const came = await later;
    const never = read(`bytes=${bytes.length}-`);
    await writer.write(bytes.subarray(1500));
    await writer.finish();
    // A player stops where the response ends, so an open range continues to the last byte.
    for (const [reply, first] of [[there, 400] as const, [came, 1200] as const]) {
      expect(reply.statusCode).toBe(206);
      expect(reply.headers['content-range']).toBe(`bytes ${first}-9007199254740991/*`);
      expect(reply.headers).not.toHaveProperty('content-length');
      expect((await buffer(reply)).equals(bytes.subarray(first))).toBe(true);
    }
    const { status, headers } = await never;
    expect([status, headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
  });

  test('serves ranges of raw samples that start in or after the header', async () => {
    const { media, client } = await serveTestMedia();
    const samples = Buffer.from(Array.from({ length: 9000 }, (_, index) => index % 251));
    const writer = media.begin({ name: null, declaredType: 'audio/pcm' });
    await writer.write(samples.subarray(0, 6000));
    const shape = { sampleRate: 24_000, channels: 2 };
    const read = async (range: string) => {
      const path = `/media/${writer.id}?wav=24000x2`;
      const { status, headers, bytes } = await client.read(path, { headers: { range } });
      return { status, range: headers['content-range'], bytes };
    };
    const growing = Buffer.concat([createWavHeader(shape, null), samples.subarray(0, 6000)]);
    const part = (whole: Buffer, first: number, last: number, size: string) => ({
      status: 206,
      range: `bytes ${first}-${last}/${size}`,
      bytes: whole.subarray(first, last + 1),
    });
    expect(await read('bytes=40-49')).toEqual(part(growing, 40, 49, '*'));
    const path = `/media/${writer.id}?wav=24000x2`;
    const open = await client.send(path, { headers: { range: 'bytes=20-' } });
    await writer.write(samples.subarray(6000));
    await writer.finish();
    const all = Buffer.concat([createWavHeader(shape, null), samples]);
    expect(open.headers['content-range']).toBe('bytes 20-9007199254740991/*');
    expect(await buffer(open)).toEqual(all.subarray(20));
    const whole = Buffer.concat([createWavHeader(shape, samples.length), samples]);
    expect(await read('bytes=0-19')).toEqual(part(whole, 0, 19, '9044'));
    expect(await read('bytes=40-49')).toEqual(part(whole, 40, 49, '9044'));
    expect(await read('bytes=9040-')).toEqual(part(whole, 9040, 9043, '9044'));
  });

  test('disconnects readers when the item is aborted', async () => {
    const { media, client } = await serveTestMedia();
    const writer = media.begin({ name: null, declaredType: null });
    await writer.write(wav().subarray(0, 500));
    const response = await client.send(`/media/${writer.id}`);
    response.resume();
    const failed = once(response, 'error');
    await writer.abort();
    await expect(failed).resolves.toMatchObject([{ code: 'ECONNRESET' }]);
  });

  test('keeps growing when any number of readers leave', async () => {
    const { media, client } = await serveTestMedia();
    const bytes = wav({ seconds: 5 });
    const writer = media.begin({ name: null, declaredType: null });
    await writer.write(bytes.subarray(0, 1000));
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => client.send(`/media/${writer.id}`)),
    );
    const [stays, ...leave] = readers;
    for (const reader of leave) reader.destroy();
    const received: Buffer[] = [];
    stays?.on('data', (chunk: Buffer) => received.push(chunk));
    const ended = stays && once(stays, 'end');
    await writer.write(bytes.subarray(1000));
    await writer.finish();
    await ended;
    expect(Buffer.concat(received).equals(bytes)).toBe(true);
  });
});
