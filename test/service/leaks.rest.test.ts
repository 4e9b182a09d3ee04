/** Checks that an aborted request leaves no open file, socket or timer behind. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBrowserHost } from '../../electron/browser/host.ts';
import { createStaticFiles, type RequestHandler } from '../../electron/browser/pages.ts';
import type { MediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { openFilesIn } from '../fixtures/open-files.ts';

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

describe('an exchange', () => {});
