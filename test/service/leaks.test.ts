/** Checks that an aborted request leaves no open file, socket or timer behind. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBrowserHost } from '../../electron/browser/host.ts';
import { createStaticFiles, type RequestHandler } from '../../electron/browser/pages.ts';
import { createNetwork } from '../../electron/gateway/network.ts';
import { fetchRemoteImage } from '../../electron/media/fetch-remote-image.ts';
import { createMediaRoutes, type MediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { openTestMedia, store } from '../fixtures/media-service.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { openFilesIn } from '../fixtures/open-files.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { chunk, reply, startWireServer, streamHead } from '../fixtures/wire-server.ts';

/** Starts a host. `counts` holds the requests and closed sockets that the server saw. */
async function startHost({
  media,
  page = (_request, response) => response.writeHead(404).end(),
}: {
  media?: MediaRoutes;
  page?: RequestHandler;
}) {
  const counts = { requests: 0, closed: 0 };
  const host = await startBrowserHost({
    router: {},
    port: 0,
    ...(media && { media }),
    createPage(server) {
      server.on('request', () => {
        counts.requests += 1;
      });
      server.on('connection', (socket) => {
        socket.on('close', () => {
          counts.closed += 1;
        });
      });
      return page;
    },
  });
  onTestFinished(() => host.close());
  const { pathname, search } = new URL(host.createAddress());
  const entry = await fetch(`http://127.0.0.1:${host.port}${pathname}${search}`, {
    headers: { connection: 'close' },
  });
  const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
  await expect.poll(() => counts).toEqual({ requests: 1, closed: 1 });
  async function ask(path: string, more: string[] = [], method = 'GET'): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: host.port, allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${host.port}`,
      `Cookie: ${cookie}`,
    ];
    socket.write(
      more.includes('')
        ? [...head, ...more].join('\r\n')
        : `${[...head, ...more].join('\r\n')}\r\n\r\n`,
    );
    return socket;
  }
  return { counts, port: host.port, ask };
}

describe.runIf(process.platform === 'linux')('a file', () => {
  it('closes a growing file if the page leaves before its first bytes', async () => {
    const { media, routes, home } = openTestMedia();
    const { ask, counts } = await startHost({ media: routes });
    const writer = media.begin({ name: null, declaredType: null });
    await writer.write(Buffer.from('short'));
    const socket = await ask(`/media/${writer.id}`);
    await expect.poll(() => counts.requests).toBe(2);
    socket.destroy();
    await expect.poll(() => counts.closed).toBe(2);
    await writer.write(Buffer.alloc(100_000, 1));
    await writer.finish();
    await expect.poll(() => openFilesIn(join(home, 'media'))).toEqual([]);
  });

  it('closes a file if the browser stops reading it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '');
    writeFileSync(join(folder, 'assets', 'large.js'), Buffer.alloc(64 * 1024 * 1024, 32));
    const { ask } = await startHost({ page: createStaticFiles(folder) });
    const socket = await ask('/assets/large.js');
    await once(socket, 'data');
    socket.pause();
    await expect.poll(() => openFilesIn(folder)).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => openFilesIn(folder)).toEqual([]);
  });
});

it('closes a rejected socket even if its peer stays open', async () => {
  const { ask, counts } = await startHost({});
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const socket = await ask('/rpc', upgrade);
  socket.resume();
  await once(socket, 'end');
  await expect.poll(() => counts.closed).toBe(2);
});

it('times out an image of an answer if nothing connects', async () => {
  const network = createNetwork({
    environment: {},
    systemProxy: () => new Promise(() => undefined),
  });
  onTestFinished(() => network.close());
  const loading = fetchRemoteImage('http://pictures.example/a.png', {
    network,
    media: openTestMedia().media,
    signal: AbortSignal.timeout(100),
  });
  await expect(loading).rejects.toThrow('took too long');
});

describe('an exchange', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  it('fails as unreachable if the URL of the proxy is invalid', async () => {
    const before = timers();
    const network = createNetwork({
      environment: { HTTP_PROXY: 'http://us%er:50%@127.0.0.1:9' },
      systemProxy: null,
    });
    onTestFinished(() => network.close());
    const { outcome } = await observeExchange('http://gateway.example', { network });
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('leaves no timer behind if its last event is an error', async () => {
    const before = timers();
    const server = await startWireServer(async ({ send, end }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[]}\n\ndata: {"error":{"message":"no"}}'));
      await send('0\r\n\r\n');
      end();
    });
    const { outcome } = await observeExchange(server.url);
    await server.close();
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'gateway' } });
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('doesn’t start after the network was closed', async () => {
    const requests: string[] = [];
    const server = await serveScript(({ send, request }) => {
      requests.push(request);
      return send(reply('200 OK', {}, '{}'));
    });
    const network = createNetwork({ environment: {}, systemProxy: null });
    await network.close();
    const { outcome } = await observeExchange(server.url, { network });
    expect(outcome.status).toBe('failed');
    expect(requests).toEqual([]);
  });
});

describe('an upload', () => {
  it('logs no error if the page leaves in the middle of a slice', async () => {
    const { media } = openTestMedia();
    const log: string[] = [];
    const routes = createMediaRoutes(media, (line) => log.push(line));
    const replies: number[] = [];
    const { ask, counts, port } = await startHost({
      async media(request) {
        const reply = await routes(request);
        replies.push(reply.status);
        return reply;
      },
    });
    const { id } = media.begin({ name: null, declaredType: null, role: 'upload' });
    const origin = `Origin: http://127.0.0.1:${port}`;
    const socket = await ask(
      `/media/${id}?offset=0`,
      [origin, 'Content-Length: 1000', '', 'abc'],
      'PUT',
    );
    await expect.poll(() => counts.requests).toBe(2);
    socket.destroy();
    await expect.poll(() => replies).toHaveLength(1);
    expect(log).toEqual([]);
  });
});

it('deletes an incomplete outline with its audio file', async () => {
  const { media, home } = openTestMedia();
  const { id } = await store(media, wav());
  writeFileSync(`${media.peaksPath(id)}.new`, 'half');
  writeFileSync(`${media.peaksPath(id)}.page`, 'half');
  media.remove(id);
  expect(readdirSync(join(home, 'media'))).toEqual(['incoming']);
});
