/** Covers saved tools, and images that the main process fetches for an answer on request. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../electron/gateway/network.ts';
import { fetchRemoteImage } from '../../electron/media/fetch-remote-image.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { Tool } from '../../shared/operations/chat/message.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { pixel } from '../fixtures/pixel.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { always, reply, type Script } from '../fixtures/wire-server.ts';

const named = (name: string): Tool => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
});

describe('saved tools', () => {
  it('keeps tools by name across a restart', async () => {
    const home = temporaryFolder();
    const first = await startTestServices({ home });
    first.saved.tools.save({ tool: named('b') });
    const { id } = first.saved.tools.save({ tool: named('a') });
    first.saved.tools.save({ id: id, tool: named('c') });
    await first.close();
    const again = await startTestServices({ home });
    expect(again.saved.tools.list().map(({ tool }) => tool.function.name)).toEqual(['b', 'c']);
    again.saved.remove(id);
    expect(again.saved.tools.list()).toHaveLength(1);
  });

  it('rejects a duplicate tool name', async () => {
    const { tools } = (await startTestServices()).saved;
    tools.save({ tool: named('a') });
    expect(() => tools.save({ tool: named('a') })).toThrow('named a already');
    const { id } = tools.save({ tool: named('b') });
    expect(() => tools.save({ id: id, tool: named('a') })).toThrow('named a already');
    expect(tools.save({ id: id, tool: named('b') }).id).toBe(id);
  });

  it('reports a tool that was deleted in the meantime', async () => {
    const { tools } = (await startTestServices()).saved;
    expect(() => tools.save({ id: 'gone', tool: named('a') })).toThrow('was deleted');
  });
});

const png = { 'Content-Type': 'image/png' };

async function start(script: Script) {
  const server = await serveScript(script);
  const { media } = await startTestServices({ baseUrl: server.url, key: 'sk-test-0123456789' });
  const network = createNetwork({ environment: {}, systemProxy: null });
  onTestFinished(() => network.close());
  const get = (path: string, options: { maxBytes?: number; signal?: AbortSignal } = {}) =>
    fetchRemoteImage(path.startsWith('/') ? server.url + path : path, {
      network,
      media,
      signal: AbortSignal.timeout(60_000),
      ...options,
    });
  const count = () => media.list({ kind: null, after: null, limit: 10 }).media.length;
  return { server, media, get, count };
}

async function errorOf(work: Promise<unknown>) {
  const cause: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (cause instanceof UserFacingError) return cause.error;
  throw new Error(`Not refused as expected: ${String(cause)}`);
}

describe('an image of an answer', () => {
  it('fetches an image without key or cookies, and stores it with its name', async () => {
    const { server, media, get } = await start(always(reply('200 OK', png, pixel)));
    const image = await get('/pictures/a%20cat.png?x=1');
    expect(image).toMatchObject({ kind: 'image', type: 'image/png', name: 'a cat.png', width: 1 });
    expect(await media.readBytes(image.id)).toEqual(pixel);
    expect(server.requests[0]).toMatch(/^GET \/pictures\/a%20cat\.png\?x=1 /);
    expect(server.requests[0]).not.toMatch(/authorization|cookie|sk-test/i);
  });

  it('follows redirects up to a limit', async () => {
    const { get } = await start(({ send, request }) =>
      send(
        request.startsWith('GET /a ')
          ? reply('302 Found', { Location: '/b.png' }, '')
          : request.startsWith('GET /b.png ')
            ? reply('200 OK', png, pixel)
            : reply('302 Found', { Location: '/round' }, ''),
      ),
    );
    expect(await get('/a')).toMatchObject({ name: 'b.png' });
    expect((await errorOf(get('/round'))).message).toContain('redirected too many times');
  });

  it.each<[string, Uint8Array, string]>([
    ['another kind of file', reply('200 OK', png, '<html>no</html>'), 'didn’t return an image'],
    [
      'SVG, which can carry scripts',
      reply(
        '200 OK',
        { 'Content-Type': 'image/svg+xml' },
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
      ),
      'didn’t return an image',
    ],
    ['an error', reply('404 Not Found', {}, 'gone'), 'returned HTTP 404'],
    [
      'a redirect to a URL that isn’t http',
      reply('302 Found', { Location: 'file:///etc/passwd' }, ''),
      'isn’t http',
    ],
    ['nothing at all', reply('200 OK', png, ''), 'empty'],
  ])('rejects %s', async (_, sent, words) => {
    const { get, count } = await start(({ send }) => send(sent));
    expect((await errorOf(get('/a.png'))).message).toContain(words);
    expect(count()).toBe(0);
  });

  it('rejects a large image without reading the rest', async () => {
    const { get, count } = await start(
      always(reply('200 OK', png, Buffer.concat([pixel, Buffer.alloc(5000)]))),
    );
    expect((await errorOf(get('/a.png', { maxBytes: 1000 }))).message).toContain('larger than');
    expect(count()).toBe(0);
  });

  it.each(['file:///etc/passwd', 'data:image/png;base64,AAAA', 'ftp://a/b.png', 'nonsense'])(
    'rejects the URL %s',
    async (address) => {
      const { get, server } = await start(always(reply('200 OK', png, pixel)));
      expect((await errorOf(get(address))).message).toContain('http://');
      expect(server.requests).toEqual([]);
    },
  );

  it('reports a server that doesn’t respond or takes too long', async () => {
    const { get } = await start(() => undefined);
    expect(await errorOf(get('http://127.0.0.1:9/a.png'))).toMatchObject({ kind: 'unreachable' });
    const { message } = await errorOf(get('/slow.png', { signal: AbortSignal.timeout(200) }));
    expect(message).toContain('took too long');
  });
});
