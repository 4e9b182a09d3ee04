import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { os, type RouterClient } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type BrowserHost, startBrowserHost } from '../../electron/browser/host.ts';
import { createStaticFiles } from '../../electron/browser/pages.ts';
import { CLOSE_LIMIT_MS } from '../../electron/services.ts';
import { FLUSH_MS } from '../../electron/storage/write-buffer.ts';
import { replyOf } from '../../shared/run-view.ts';
import { startBrowserHostProcess } from '../e2e/fixtures/browser-host-process.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { signIn } from '../fixtures/page-socket.ts';
import { TEST_MS } from '../fixtures/patience.ts';
import { chunk, startWireServer, streamHead } from '../fixtures/wire-server.ts';
import { openPage } from '../torture/page.ts';

let ended = 0;
const router = {
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

/** Not fetch: it would normalize paths and refuse to set Host. */
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

async function fetchCookie(): Promise<string> {
  const { headers } = await send(tokenPath());
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

function openSocket(headers: Record<string, string>, path = '/rpc'): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${host.port}${path}`, { headers });
}

/** The status of a refused upgrade, or 101. */
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
  it('signs in once, by a page that moves on and not by a redirect', async () => {
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
    expect(second.body).toContain('Press Enter in the terminal');
  });

  it('is used up also by a browser that is signed in already', async () => {
    const cookie = await fetchCookie();
    const path = tokenPath();
    await send(path, { cookie });
    expect((await send(path)).status).toBe(401);
  });

  it('survives a HEAD request and leaves other addresses good', async () => {
    const [one, other] = [tokenPath(), tokenPath()];
    expect((await send(one, {}, 'HEAD')).status).toBe(401);
    expect((await send(one)).status).toBe(200);
    expect((await send(other)).status).toBe(200);
  });

  it('tells a browser without the cookie where to get one', async () => {
    for (const path of ['/', '/?token=wrong', '/assets/main-4f3a.js', '/nothing']) {
      const { status, body } = await send(path);
      expect(status).toBe(401);
      expect(body).toContain('Press Enter in the terminal');
    }
  });

  it('refuses a cookie of another start or another port', async () => {
    const value = (await fetchCookie()).split('=')[1] ?? '';
    for (const cookie of [`gatehouse-1=${value}`, `gatehouse-${host.port}=${'A'.repeat(43)}`]) {
      expect((await send('/', { cookie })).status).toBe(401);
    }
  });
});

describe('the page', () => {
  it('comes with its type and strict headers', async () => {
    const cookie = await fetchCookie();
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

  it('lets assets be kept for good', async () => {
    const { headers } = await send('/assets/main-4f3a.js', { cookie: await fetchCookie() });
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toContain('immutable');
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets\\..\\..\\secret.txt',
    '//etc/passwd',
    '/nothing.js',
  ])('does not answer %s', async (path) => {
    const { status, body } = await send(path, { cookie: await fetchCookie() });
    expect(status).toBe(404);
    expect(body).not.toContain('not yours');
  });

  it('answers HEAD without a body, and no other method', async () => {
    const cookie = await fetchCookie();
    const head = await send('/', { cookie }, 'HEAD');
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '24']);
    const post = await send('/', { cookie }, 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('requests of other pages', () => {
  it.each([
    'gatehouse.example',
    '127.0.0.1.example.com',
    'localhost.example.com:80',
    '127.0.0.2',
    '[::1]',
  ])('are refused by the host name "%s"', async (name) => {
    expect((await send('/', { host: name, cookie: await fetchCookie() })).status).toBe(403);
  });

  it.each(['127.0.0.1', 'localhost:9000', 'LOCALHOST:4680'])(
    'do not include those through a tunnel to %s',
    async (name) => {
      const cookie = await fetchCookie();
      const headers = { host: name, cookie, origin: `http://${name.toLowerCase()}` };
      expect((await send('/', headers)).status).toBe(200);
      expect(await upgradeStatus(openSocket(headers))).toBe(101);
    },
  );

  it.each(['http://127.0.0.1:1', 'https://example.com', 'null'])(
    'are refused by the origin %s',
    async (origin) => {
      const cookie = await fetchCookie();
      expect((await send('/', { cookie, origin })).status).toBe(403);
      expect(await upgradeStatus(openSocket({ cookie, origin }))).toBe(403);
    },
  );

  it('are refused as subresources of another port, while a link may lead here', async () => {
    const cookie = await fetchCookie();
    const foreign = { cookie, 'sec-fetch-site': 'same-site' };
    expect((await send('/', { ...foreign, 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    expect((await send('/', { ...foreign, 'sec-fetch-mode': 'navigate' })).status).toBe(200);
  });
});

describe('the socket', () => {
  it('needs an origin, the cookie and its own path', async () => {
    const [cookie, origin] = [await fetchCookie(), ownOrigin()];
    expect(await upgradeStatus(openSocket({ cookie }))).toBe(403);
    expect(await upgradeStatus(openSocket({ origin }))).toBe(401);
    expect(await upgradeStatus(openSocket({ cookie, origin }, '/other'))).toBe(404);
    expect(await upgradeStatus(openSocket({ cookie, origin, host: 'evil.example' }))).toBe(403);
  });

  async function connect(): Promise<{ client: RouterClient<typeof router>; socket: WebSocket }> {
    const socket = openSocket({ cookie: await fetchCookie(), origin: ownOrigin() });
    // `ws` has all that the link uses; only the types of its listeners differ from the page's.
    const websocket = socket as unknown as globalThis.WebSocket;
    return { client: createORPCClient(new RPCLink({ websocket })), socket };
  }

  it('carries calls, also with megabytes of text', async () => {
    const { client, socket } = await connect();
    expect(await client.echo('hello')).toBe('hello');
    const pasted = 'é'.repeat(3_000_000);
    expect((await client.echo(pasted)).length).toBe(pasted.length);
    socket.close();
  });

  it('ends what a dropped page was watching', async () => {
    const { client, socket } = await connect();
    const numbers = await client.count();
    await numbers.next();
    socket.terminate();
    await expect.poll(() => ended).toBe(1);
  });

  it('survives a message that is not of the contract', async () => {
    const { client, socket } = await connect();
    await client.echo('open');
    socket.send('{"broken');
    expect(await client.echo('still here')).toBe('still here');
    socket.close();
  });

  it('is closed with the host', async () => {
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
  it('is refused when it was given and is in use', async () => {
    const again = startBrowserHost({ router, port: host.port, createPage: () => () => undefined });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('is on 127.0.0.1 only', () => {
    expect(host.createAddress()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  });
});

describe('the end by a signal', () => {
  /** Nothing goes on for `ms`, once the end has begun. */
  const stands = (ms: number) =>
    `process.once('SIGINT', () => queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})));`;
  /** Little goes on for `ms`, once the end has begun. */
  const crawls = (ms: number) =>
    `process.once('SIGINT', () => { const until = Date.now() + ${ms}; const turn = () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); if (Date.now() < until) setTimeout(turn, 0); }; setImmediate(turn); });`;
  /** What waits for `ms` waits for `insteadMs`. */
  const takes = (ms: number, insteadMs: number) =>
    `{ const { setTimeout } = globalThis; globalThis.setTimeout = (f, ms, ...rest) => setTimeout(f, ms === ${ms} ? ${insteadMs} : ms, ...rest); }`;
  const limitIs = (limitMs: number) => takes(CLOSE_LIMIT_MS, limitMs);
  /** As if something never closed. */
  const staysOpen =
    'const { exit } = process; process.exit = (code) => code !== 0 && exit(code); setInterval(() => {}, 1000);';

  async function startWith(
    preload: string,
    home = temporaryFolder(),
    environment: Record<string, string> = {},
  ) {
    const host = await startBrowserHostProcess({
      home,
      entry: join(import.meta.dirname, '../../electron/browser.ts'),
      environment: {
        ...environment,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
      },
    });
    onTestFinished(() => host.kill());
    return host;
  }

  it('is a clean one on a busy machine too', async () => {
    const host = await startWith(stands(1500));
    expect(await host.stop('SIGINT')).toBe(0);
    expect(host.output()).not.toContain('shut down');
  });

  it('writes what arrived before anything is closed', async () => {
    const gateway = await startWireServer(async ({ send }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[{"index":0,"text":"Kept."}]}\n\n'));
    });
    onTestFinished(() => gateway.close());
    const home = temporaryFolder();
    const host = await startWith(takes(FLUSH_MS, 3_600_000) + stands(TEST_MS), home, {
      GATEHOUSE_BASE_URL: gateway.url,
      GATEHOUSE_API_KEY: 'sk-0123456789',
    });
    const page = await openPage(await signIn(host.address));
    onTestFinished(() => page.close());
    const request = { model: 'm', prompt: 'Keep this.', stream: true };
    const run = { operation: 'completion', connectionId: 'environment', request } as const;
    const { runId } = await page.api.runs.start(run);
    await new Promise<void>((resolve, reject) => {
      const watching = page.follow(runId, (view) => replyOf(view).text === 'Kept.' && resolve());
      watching.then(() => reject(new Error('The run ended.')), reject);
    });

    const file = new DatabaseSync(join(home, 'frames.sqlite'), { readOnly: true });
    onTestFinished(() => file.close());
    const written = () => file.prepare('SELECT count(*) AS n FROM frames').get()?.n;
    expect(written()).toBe(0);
    void host.stop('SIGINT');
    await expect.poll(written).toBe(1);
  });

  it('says that it took too long', async () => {
    const host = await startWith(limitIs(50) + stands(500));
    expect(await host.stop('SIGINT')).toBe(1);
    expect(host.output()).toContain(
      'Gatehouse took too long to shut down. Some results may not be saved.',
    );
  });

  /** The same Ctrl-C by way of npm, and the end of what npm started it with. */
  const echoes = (ms: number) =>
    `process.once('SIGINT', () => setTimeout(() => { for (const signal of ['SIGINT', 'SIGTERM']) process.kill(process.pid, signal); }, ${ms}));`;

  it.each([
    ['stands', stands(1500) + echoes(0)],
    ['crawls', crawls(1500) + echoes(150)],
  ])('is a clean one where one Ctrl-C arrives twice while it %s', async (_how, preload) => {
    const host = await startWith(limitIs(TEST_MS) + preload);
    expect(await host.stop('SIGINT')).toBe(0);
  });

  it('comes at once with another Ctrl-C', async () => {
    const host = await startWith(staysOpen);
    const ended = host.stop('SIGINT');
    // On a busy machine, the first may come too soon to count.
    const timer = setInterval(() => void host.stop('SIGINT'), 1000);
    onTestFinished(() => clearInterval(timer));
    expect(await ended).toBe(1);
    expect(host.output()).not.toContain('too long');
  });
});
