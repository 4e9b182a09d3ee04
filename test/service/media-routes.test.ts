import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isMediaUrl } from '../../electron/media/routes/media-routes.ts';
import { jsonOf, serveTestMedia, store } from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

describe('a complete media item', () => {
  test('serves the whole item with its detected type, without scripts or sniffing', async () => {
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

  test('serves ranges', async () => {
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

  test('answers HEAD with only its length, and 304 if it is cached', async () => {
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

  test('downloads under its name', async () => {
    const { media, client } = await serveTestMedia();
    const named = await store(media, wav(), { name: 'Grüße "1"/2.wav' });
    const saved = await client.read(`/media/${named.id}?download`);
    expect(saved.headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _1__2.wav"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22_2.wav`,
    );
    const renamed = await client.read(`/media/${named.id}?download=take-2.wav%0D%0AX-Y:%201`);
    expect(renamed.headers['content-disposition']).toContain('filename="take-2.wav__X-Y: 1"');
    const nameless = await store(media, wav());
    const plain = await client.read(`/media/${nameless.id}?download`);
    expect(plain.headers['content-disposition']).toContain(
      `gatehouse-${nameless.id.slice(0, 6)}.wav`,
    );
  });

  test.each([
    ['text direction marks', 'invoice\u202egpj.exe', 'invoicegpj.exe'],
    ['isolated directions', '\u2066fdp.\u2069exe\u200f\u061c', 'fdp.exe'],
    ['lines of a header', 'a\r\nSet-Cookie: x=1\r\n\r\n<b>.png', 'a__Set-Cookie: x=1____<b>.png'],
    ['control characters', 'a\u0000b\u001b[31m\u0085.png', 'a_b_[31m_.png'],
    ['a path', '../..\\..//etc/passwd', '.._.._..__etc_passwd'],
    ['nothing else', '\u202e\u200e', null],
  ])('removes %s from the name that is shown and downloaded', async (_, given, kept) => {
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
    ['an SVG after a comment', '\ufeff<!-- x --><svg onload="alert(1)"/>'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>'],
    ['subtitles with a script', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<script>alert(1)</script>\n'],
    ['a font', Buffer.from('wOF2\0\u0001\0\0\0\0\0\0', 'latin1')],
    ['a PDF', '%PDF-1.7 /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'],
  ])('offers %s only as a download, whatever its declared type', async (_, content) => {
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

  test('reports a removed or lost item as not found', async () => {
    const { media, client } = await serveTestMedia();
    const { id } = await store(media, wav());
    media.remove(id);
    const reply = await client.read(`/media/${id}`);
    expect([reply.status, jsonOf(reply.bytes)]).toMatchObject([404, { kind: 'not-found' }]);
  });
});

describe('access', () => {
  test.each([
    ['no session', { cookie: undefined }, 401],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another host name', { host: 'gatehouse.example' }, 403],
  ])('rejects a read with %s', async (_name, headers, status) => {
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
  ])('rejects a write with %s', async (_name, headers, status) => {
    const { media, client } = await serveTestMedia();
    const reply = await client.read('/media', { method: 'POST', headers });
    expect(reply.status).toBe(status);
    expect(media.list({ kind: null, after: null, limit: 10 }).media).toEqual([]);
  });

  test.each([
    '/media/../ledger.sqlite',
    '/media/..%2f..%2fledger.sqlite',
    '/media//etc/passwd',
    '/media/AAAAAAAAAAAAAAAAAAAAAA/../../ledger.sqlite',
    '/media/AAAAAAAAAAAAAAAAAAAAAA%00',
    '/media/incoming',
  ])('rejects a path that escapes the folder: %s', async (path) => {
    const { client } = await serveTestMedia();
    const reply = await client.read(path);
    expect([reply.status, jsonOf(reply.bytes)]).toMatchObject([404, { kind: 'not-found' }]);
  });

  test('reuses a connection after a read', async () => {
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
])('tells whether %s is a media URL: %s', (url, expected) => {
  expect(isMediaUrl(url)).toBe(expected);
});
