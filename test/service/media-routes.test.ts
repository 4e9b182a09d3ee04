import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isMediaUrl } from '../../electron/media/routes/media-routes.ts';
import { wavHeader } from '../../shared/wav.ts';
import { jsonOf, serveTestMedia, store } from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

describe('a complete medium', () => {
  test('comes whole, as what its bytes say, without scripts or sniffing', async () => {
    const { media, client } = await serveTestMedia();
    const bytes = wav();
    const { id } = await store(media, bytes, { declaredType: 'text/html' });
    const reply = await client.read(`/media/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.bytes).toEqual(bytes);
    expect(reply.headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(reply.headers).not.toHaveProperty('content-disposition');
  });

  test('comes in stretches', async () => {
    const { media, client } = await serveTestMedia();
    const bytes = wav({ seconds: 40 });
    const { id } = await store(media, bytes);
    const read = (range: string) => client.read(`/media/${id}`, { headers: { range } });

    const middle = await read('bytes=1000-300999');
    expect([
      middle.status,
      middle.headers['content-range'],
      middle.headers['content-length'],
    ]).toEqual([206, `bytes 1000-300999/${bytes.length}`, '300000']);
    expect(middle.bytes.equals(bytes.subarray(1000, 301_000))).toBe(true);
    const end = await read('bytes=-5');
    expect([end.status, end.bytes]).toEqual([206, bytes.subarray(-5)]);

    const beyond = await read(`bytes=${bytes.length}-`);
    expect([beyond.status, beyond.headers['content-range']]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
    expect(beyond.bytes).toHaveLength(0);
  });

  test('answers HEAD with its length alone, and 304 to who has it', async () => {
    const { media, client } = await serveTestMedia();
    const { id, sizeBytes } = await store(media, wav());
    const head = await client.read(`/media/${id}`, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(sizeBytes),
      0,
    ]);
    const { etag } = head.headers;
    const again = await client.read(`/media/${id}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const other = await client.read(`/media/${id}`, {
      headers: { range: 'bytes=0-1', 'if-range': '"another"' },
    });
    expect(other.status).toBe(200);
  });

  test('is saved under its name', async () => {
    const { media, client } = await serveTestMedia();
    const named = await store(media, wav(), { name: 'Grüße "1"/2.wav' });
    const saved = await client.read(`/media/${named.id}?download`);
    expect(saved.headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _1__2.wav"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22_2.wav`,
    );
    const nameless = await store(media, wav());
    const plain = await client.read(`/media/${nameless.id}?download`);
    expect(plain.headers['content-disposition']).toContain(
      `gatehouse-${nameless.id.slice(0, 6)}.wav`,
    );
  });

  test.each([
    ['marks of direction', 'invoice\u202egpj.exe', 'invoicegpj.exe'],
    ['isolated directions', '\u2066fdp.\u2069exe\u200f\u061c', 'fdp.exe'],
    ['lines of a header', 'a\r\nSet-Cookie: x=1\r\n\r\n<b>.png', 'a__Set-Cookie: x=1____<b>.png'],
    ['control characters', 'a\u0000b\u001b[31m\u0085.png', 'a_b_[31m_.png'],
    ['a path', '../..\\..//etc/passwd', '.._.._..__etc_passwd'],
    ['nothing else', '\u202e\u200e', null],
  ])('has a name without %s, where it is shown and where it is saved', async (_, given, kept) => {
    const { media, client } = await serveTestMedia();
    const begun = await client.read(`/media?name=${encodeURIComponent(given)}`, { method: 'POST' });
    const { id } = z.object({ id: z.string() }).parse(jsonOf(begun.bytes));
    await client.read(`/media/${id}?offset=0`, { method: 'PUT', body: wav() });
    const finished = await client.read(`/media/${id}/finish`, { method: 'POST' });
    expect(jsonOf(finished.bytes)).toMatchObject({ name: kept });
    expect(media.get(id)?.name).toBe(kept);
    const { headers } = await client.read(`/media/${id}?download`);
    const [, saved = ''] =
      /filename\*=UTF-8''(.*)$/.exec(headers['content-disposition'] ?? '') ?? [];
    expect(decodeURIComponent(saved)).toBe(kept ?? `gatehouse-${id.slice(0, 6)}.wav`);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test.each([
    [
      'an SVG with a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    ],
    ['an SVG behind a comment', '\ufeff<!-- x --><svg onload="alert(1)"/>'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>'],
    ['subtitles with a script', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<script>alert(1)</script>\n'],
    ['a font', Buffer.from('wOF2\0\u0001\0\0\0\0\0\0', 'latin1')],
    ['a PDF', '%PDF-1.7 /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'],
  ])('that is %s is only ever saved, whatever type was declared', async (_, content) => {
    const { media, client } = await serveTestMedia();
    for (const declaredType of ['image/png', 'image/svg+xml', 'text/html', 'audio/mpeg', null]) {
      const of = declaredType === null ? {} : { declaredType };
      const { id, kind } = await store(media, Buffer.from(content), of);
      expect(kind).toBe('file');
      const { headers } = await client.read(`/media/${id}`);
      expect(headers['content-disposition']).toMatch(/^attachment; /);
      expect(headers['content-security-policy']).toBe('sandbox');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('that could be a page is only ever saved', async () => {
    const { media, client } = await serveTestMedia();
    const { id } = await store(media, Buffer.from('<html><script>alert(1)</script>'), {
      declaredType: 'audio/mpeg',
    });
    const { headers } = await client.read(`/media/${id}`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-disposition']).toContain('attachment');
    expect(headers['content-security-policy']).toBe('sandbox');
  });

  test('that was removed, or lost from the disk, is reported as not found', async () => {
    const { media, client } = await serveTestMedia();
    const { id } = await store(media, wav());
    media.remove(id);
    const reply = await client.read(`/media/${id}`);
    expect([reply.status, jsonOf(reply.bytes)]).toMatchObject([404, { kind: 'not-found' }]);
  });
});

describe('a growing medium', () => {
  test('is read from its first bytes, before its last ones exist', async () => {
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

  test('comes whole to whoever asks while it is being completed, a hundred times', async () => {
    const { media, client } = await serveTestMedia();
    for (let round = 0; round < 100; round += 1) {
      const bytes = wav({ seconds: 1 + (round % 5) });
      bytes.writeInt16LE(round, 44);
      const writer = media.begin({ name: null, declaredType: 'audio/wav' });
      await writer.write(bytes);
      const finished = writer.finish();
      // A little later in each round, from before the end of the file until after its measuring.
      for (let turn = 0; turn < round % 20; turn += 1) await nextTurn();
      const reply = await client.read(`/media/${writer.id}`);
      expect([reply.status, reply.bytes.equals(bytes)]).toEqual([200, true]);
      await finished;
    }
  });

  test('of raw samples comes as WAV to a player, and other sounds as they are', async () => {
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
    const soFar = Buffer.concat([wavHeader(shape, null), samples.subarray(0, 6000)]);
    await vi.waitFor(() => expect(Buffer.concat(received)).toEqual(soFar));
    const ended = once(response, 'end');
    await writer.write(samples.subarray(6000));
    await writer.finish();
    await ended;
    expect(Buffer.concat(received)).toHaveLength(samples.length + 44);

    const whole = await client.read(`/media/${writer.id}?wav=24000x2`);
    expect(whole.bytes).toEqual(Buffer.concat([wavHeader(shape, samples.length), samples]));
    const { id } = await store(media, wav());
    expect((await client.read(`/media/${id}?wav=24000x2`)).bytes).toEqual(wav());
    expect((await client.read(`/media/${writer.id}?wav=1x9`)).bytes).toEqual(samples);
  });

  test('from a byte that is there, and from one that is yet to come', async () => {
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
    // A range without an end goes on to the byte that will be the last: a player takes the end of a reply for it.
    for (const [reply, first] of [[there, 400] as const, [came, 1200] as const]) {
      expect(reply.statusCode).toBe(206);
      expect(reply.headers['content-range']).toBe(`bytes ${first}-9007199254740991/*`);
      expect(reply.headers).not.toHaveProperty('content-length');
      expect((await buffer(reply)).equals(bytes.subarray(first))).toBe(true);
    }
    const { status, headers } = await never;
    expect([status, headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
  });

  test('of raw samples in stretches, too: they begin in the header or behind it', async () => {
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
    const growing = Buffer.concat([wavHeader(shape, null), samples.subarray(0, 6000)]);
    const part = (whole: Buffer, first: number, last: number, size: string) => ({
      ...{ status: 206, range: `bytes ${first}-${last}/${size}` },
      bytes: whole.subarray(first, last + 1),
    });
    expect(await read('bytes=40-49')).toEqual(part(growing, 40, 49, '*'));
    const path = `/media/${writer.id}?wav=24000x2`;
    const open = await client.send(path, { headers: { range: 'bytes=20-' } });
    await writer.write(samples.subarray(6000));
    await writer.finish();
    const all = Buffer.concat([wavHeader(shape, null), samples]);
    expect(open.headers['content-range']).toBe('bytes 20-9007199254740991/*');
    expect(await buffer(open)).toEqual(all.subarray(20));
    const whole = Buffer.concat([wavHeader(shape, samples.length), samples]);
    expect(await read('bytes=0-19')).toEqual(part(whole, 0, 19, '9044'));
    expect(await read('bytes=40-49')).toEqual(part(whole, 40, 49, '9044'));
    expect(await read('bytes=9040-')).toEqual(part(whole, 9040, 9043, '9044'));
  });

  test('that is given up breaks off its readers', async () => {
    const { media, client } = await serveTestMedia();
    const writer = media.begin({ name: null, declaredType: null });
    await writer.write(wav().subarray(0, 500));
    const response = await client.send(`/media/${writer.id}`);
    response.resume();
    const failed = once(response, 'error');
    await writer.abort();
    await expect(failed).resolves.toMatchObject([{ code: 'ECONNRESET' }]);
  });

  test('that is given up before its first byte is not found', async () => {
    const { media, client } = await serveTestMedia();
    const writer = media.begin({ name: null, declaredType: null });
    const reply = client.read(`/media/${writer.id}`);
    await writer.abort();
    expect((await reply).status).toBe(404);
  });

  test('keeps growing when a reader goes away, of however many', async () => {
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

describe('who may', () => {
  test.each([
    ['no session', { cookie: undefined }, 401],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another host name', { host: 'gatehouse.example' }, 403],
  ])('read: not with %s', async (_name, headers, status) => {
    const { media, client } = await serveTestMedia();
    const { id } = await store(media, wav());
    const reply = await client.read(`/media/${id}`, { headers });
    expect(reply.status).toBe(status);
    expect(reply.bytes.includes('RIFF')).toBe(false);
  });

  test.each([
    ['no session', { cookie: undefined }, 401],
    ['no origin', { origin: undefined }, 403],
    ['another origin', { origin: 'http://evil.example' }, 403],
  ])('write: not with %s', async (_name, headers, status) => {
    const { media, client } = await serveTestMedia();
    const reply = await client.read('/media', { method: 'POST', headers });
    expect(reply.status).toBe(status);
    expect(media.list({ kind: null, before: null, limit: 10 }).media).toEqual([]);
  });

  test.each([
    '/media/../ledger.sqlite',
    '/media/..%2f..%2fledger.sqlite',
    '/media//etc/passwd',
    '/media/AAAAAAAAAAAAAAAAAAAAAA/../../ledger.sqlite',
    '/media/AAAAAAAAAAAAAAAAAAAAAA%00',
    '/media/incoming',
  ])('no path climbs: %s', async (path) => {
    const { client } = await serveTestMedia();
    const reply = await client.read(path);
    expect([reply.status, jsonOf(reply.bytes)]).toMatchObject([404, { kind: 'not-found' }]);
  });

  test('other methods are named', async () => {
    const { client } = await serveTestMedia();
    const at = async (path: string, method: string) => {
      const { status, headers } = await client.read(path, { method });
      return [status, headers.allow];
    };
    expect(await at('/media', 'GET')).toEqual([405, 'POST']);
    expect(await at('/media/AAAAAAAAAAAAAAAAAAAAAA', 'POST')).toEqual([
      405,
      'GET, HEAD, PUT, DELETE',
    ]);
    expect(await at('/elsewhere', 'POST')).toEqual([405, 'GET, HEAD']);
  });

  test('a connection that was read from can be used again', async () => {
    const { media, client } = await serveTestMedia();
    const { id } = await store(media, wav());
    const { headers } = await client.read(`/media/${id}`, { method: 'HEAD' });
    expect(headers.connection).not.toBe('close');
  });
});

test.each([
  ['/media', true],
  ['/media?name=a.png', true],
  ['/media/AAAAAAAAAAAAAAAAAAAAAA', true],
  ['/media/AAAAAAAAAAAAAAAAAAAAAA?download', true],
  ['/media/AAAAAAAAAAAAAAAAAAAAAA/finish', true],
  ['/media/players/audio-player.tsx', false],
  ['/media/uploads/upload-media.ts?t=1', false],
  ['/mediathek', false],
])('%s is a medium’s address: %s', (url, expected) => {
  expect(isMediaUrl(url)).toBe(expected);
});
