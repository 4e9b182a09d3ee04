import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { os, type RouterClient } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type BrowserHost, startBrowserHost } from '../../electron/browser/host.ts';
import { createStaticFiles } from '../../electron/browser/pages.ts';

let ended = 0;
const links = new Set<object | undefined>();
const router = {
  countLinks: os
    .$context<{ link?: object }>()
    .handler(({ context }) => links.add(context.link).size),
  echo: os.input(z.string()).handler(({ input }) => input),
  count: os.handler(async function* ({ signal }) {
    try {
      for (let number = 0; !signal?.aborted; number += 1) {
        yield number;
        await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      }
    } finally {
      ended += 1;
    }
  }),
};

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

let folder: string;
let host: BrowserHost;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-page-'));
  mkdirSync(join(folder, 'page/assets'), { recursive: true });
  writeFileSync(join(folder, 'page/index.html'), '<title>Gatehouse</title>');
  writeFileSync(join(folder, 'page/assets/main-4f3a.js'), 'export {};');
  writeFileSync(join(folder, 'secret.txt'), 'not yours');
  host = await startBrowserHost({
    router,
    port: 0,
    createPage: () => createStaticFiles(join(folder, 'page')),
  });
  ended = 0;
});

afterEach(() => {
  host.close();
  rmSync(folder, { recursive: true });
});

/** Sends a raw request, because fetch would normalize the path and forbid a Host header. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port: host.port, path, method, headers }, async (response) => {
      const body = await text(response);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    })
      .on('error', reject)
      .end();
  });
}

function tokenPath(): string {
  const { pathname, search } = new URL(host.createAddress());
  return pathname + search;
}

async function signIn(): Promise<string> {
  const { headers } = await send(tokenPath());
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

function openSocket(headers: Record<string, string>, path = '/rpc'): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${host.port}${path}`, { headers });
}

/** Returns the status of a rejected upgrade, or 101 for an accepted one. */
function upgradeStatus(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('open', () => {
      resolve(101);
      socket.close();
    });
    socket.on('error', () => undefined);
  });
}

const ownOrigin = (): string => `http://127.0.0.1:${host.port}`;

describe('the printed address', () => {
  it('signs in once, through a page instead of a redirect', async () => {
    const path = tokenPath();
    const first = await send(path);
    expect(first.status).toBe(200);
    expect(first.body).toContain('http-equiv="refresh" content="0;url=/"');
    expect(first.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^gatehouse-${host.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(first.headers['cache-control']).toBe('no-store');

    const second = await send(path);
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toContain('In the terminal running Gatehouse, press Enter');
  });

  it('expires even for a browser that is already signed in', async () => {
    const cookie = await signIn();
    const path = tokenPath();
    await send(path, { cookie });
    expect((await send(path)).status).toBe(401);
  });

  it('stays valid after a HEAD request, and keeps other addresses valid', async () => {
    const [one, other] = [tokenPath(), tokenPath()];
    expect((await send(one, {}, 'HEAD')).status).toBe(401);
    expect((await send(one)).status).toBe(200);
    expect((await send(other)).status).toBe(200);
  });

  it('tells a browser without the cookie where to get one', async () => {
    for (const path of ['/', '/?token=wrong', '/assets/main-4f3a.js', '/nothing']) {
      const { status, body } = await send(path);
      expect(status).toBe(401);
      expect(body).toContain('In the terminal running Gatehouse, press Enter');
    }
  });

  it('rejects a cookie from another start or another port', async () => {
    const value = (await signIn()).split('=')[1] ?? '';
    for (const cookie of [`gatehouse-1=${value}`, `gatehouse-${host.port}=${'A'.repeat(43)}`]) {
      expect((await send('/', { cookie })).status).toBe(401);
    }
  });
});

describe('the page', () => {
  it('serves the page with its type and strict headers', async () => {
    const cookie = await signIn();
    const { status, headers, body } = await send('/', { cookie });
    expect([status, body]).toEqual([200, '<title>Gatehouse</title>']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toContain('unsafe-inline');
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets\\..\\..\\secret.txt',
    '//etc/passwd',
    '/nothing.js',
  ])('returns no file for %s', async (path) => {
    const { status, body } = await send(path, { cookie: await signIn() });
    expect(status).toBe(404);
    expect(body).not.toContain('not yours');
  });

  it('answers HEAD without a body, and rejects other methods', async () => {
    const cookie = await signIn();
    const head = await send('/', { cookie }, 'HEAD');
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '24']);
    const post = await send('/', { cookie }, 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('requests from other pages', () => {
  it.each([
    'gatehouse.example',
    '127.0.0.1.example.com',
    'localhost.example.com:80',
    '127.0.0.2',
    '[::1]',
  ])('rejects requests with the host name "%s"', async (name) => {
    expect((await send('/', { host: name, cookie: await signIn() })).status).toBe(403);
  });

  it.each(['127.0.0.1', 'localhost:9000', 'LOCALHOST:4680'])(
    'accepts requests through a tunnel to %s',
    async (name) => {
      const cookie = await signIn();
      const headers = { host: name, cookie, origin: `http://${name.toLowerCase()}` };
      expect((await send('/', headers)).status).toBe(200);
      expect(await upgradeStatus(openSocket(headers))).toBe(101);
    },
  );

  it.each(['http://127.0.0.1:1', 'https://example.com', 'null'])(
    'rejects requests from the origin %s',
    async (origin) => {
      const cookie = await signIn();
      expect((await send('/', { cookie, origin })).status).toBe(403);
      expect(await upgradeStatus(openSocket({ cookie, origin }))).toBe(403);
    },
  );

  it('rejects subresource requests from another port, but allows links', async () => {
    const cookie = await signIn();
    const foreign = { cookie, 'sec-fetch-site': 'same-site' };
    expect((await send('/', { ...foreign, 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    expect((await send('/', { ...foreign, 'sec-fetch-mode': 'navigate' })).status).toBe(200);
  });
});

describe('the socket', () => {
  it('requires an origin, the cookie and its own path', async () => {
    const [cookie, origin] = [await signIn(), ownOrigin()];
    expect(await upgradeStatus(openSocket({ cookie }))).toBe(403);
    expect(await upgradeStatus(openSocket({ origin }))).toBe(401);
    expect(await upgradeStatus(openSocket({ cookie, origin }, '/other'))).toBe(404);
    expect(await upgradeStatus(openSocket({ cookie, origin, host: 'evil.example' }))).toBe(403);
  });

  async function connect(): Promise<{ client: RouterClient<typeof router>; socket: WebSocket }> {
    const socket = openSocket({ cookie: await signIn(), origin: ownOrigin() });
    // `ws` provides all that the link uses, but its listener types differ from the browser's.
    const websocket = socket as unknown as globalThis.WebSocket;
    return { client: createORPCClient(new RPCLink({ websocket })), socket };
  }

  it('carries calls with megabytes of text', async () => {
    const { client, socket } = await connect();
    expect(await client.echo('hello')).toBe('hello');
    const pasted = 'é'.repeat(3_000_000);
    expect((await client.echo(pasted)).length).toBe(pasted.length);
    socket.close();
  });

  it('tells the calls of one page from those of another', async () => {
    const [one, other] = [await connect(), await connect()];
    links.clear();
    expect(await one.client.countLinks()).toBe(1);
    expect(await other.client.countLinks()).toBe(2);
    expect(await one.client.countLinks()).toBe(2);
    for (const { socket } of [one, other]) socket.close();
  });

  it('ends the watches of a disconnected page', async () => {
    const { client, socket } = await connect();
    const numbers = await client.count();
    await numbers.next();
    socket.terminate();
    await expect.poll(() => ended).toBe(1);
  });

  it('closes when the host closes', async () => {
    const { client, socket } = await connect();
    await client.echo('open');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    host.close();
    await closed;
    await expect
      .poll(() => send('/').catch((error: Error) => error.message))
      .toMatch('ECONNREFUSED');
  });
});

describe('the port', () => {
  it('rejects a given port that is in use', async () => {
    const again = startBrowserHost({ router, port: host.port, createPage: () => () => undefined });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('listens on 127.0.0.1 only', () => {
    expect(host.createAddress()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  });
});
