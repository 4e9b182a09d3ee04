/** Tries everything that Gatehouse's own page can do, from a page of another origin. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Page } from '@playwright/test';
import { wav } from '../fixtures/sounds.ts';
import { test } from './fixtures/foreign-server.ts';
import { connectRpc } from './fixtures/rpc-client.ts';

test.skip(({ hostKind }) => hostKind !== 'browser', 'It is about the browser host.');

/** The URL path of a build file that the page loads. */
const asset = `/assets/${readdirSync('.out/renderer/assets').find((name) => name.endsWith('.js'))}`;

/** Stores a file as the page does, and returns its ID. */
function storeSound(app: Page): Promise<string> {
  return app.evaluate(
    async (bytes) => {
      const begun = await fetch('/media?role=upload&name=a.wav&type=audio/wav', { method: 'POST' });
      const { id }: { id: string } = await begun.json();
      await fetch(`/media/${id}?offset=0`, { method: 'PUT', body: new Uint8Array(bytes) });
      await fetch(`/media/${id}/finish`, { method: 'POST' });
      return id;
    },
    [...wav({ seconds: 0.1 })],
  );
}

/** Counts media items, including incomplete uploads that no list shows. */
function mediaCount(home: string): number {
  const db = new DatabaseSync(join(home, 'ledger.sqlite'), { readOnly: true });
  try {
    return Number(db.prepare('SELECT count(*) AS count FROM media').get()?.count);
  } finally {
    db.close();
  }
}

/** Sends each kind of request to Gatehouse at `base`, and returns the results. */
function attempt(
  page: Page,
  paths: { base: string; asset: string; medium: string },
): Promise<Record<string, string>> {
  return page.evaluate(async ({ base, asset, medium }) => {
    const loads = (tag: 'img' | 'script' | 'audio', src: string) =>
      new Promise((resolve, reject) => {
        const element = document.createElement(tag);
        element.onload = resolve;
        element.onerror = reject;
        if (element instanceof HTMLAudioElement) element.onloadedmetadata = resolve;
        element.src = src;
        document.body.append(element);
      });
    const opens = (url: string) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.onopen = resolve;
        socket.onerror = reject;
      });
    const credentials = 'include' as const;
    const upload = `${base}/media?role=upload&name=forged.wav`;
    // The browser may hide the response of a write that arrived, so check the database.
    await fetch(upload, { method: 'POST', credentials, mode: 'no-cors' }).catch(() => undefined);
    const attempts: Record<string, Promise<unknown>> = {
      page: fetch(base, { credentials }),
      'written to': fetch(upload, { method: 'POST', credentials }),
      medium: fetch(`${base}${medium}`, { credentials }),
      asset: fetch(`${base}${asset}`, { credentials }),
      socket: opens(`${base.replace('http', 'ws')}/rpc`),
      image: loads('img', `${base}/icon.svg`),
      script: loads('script', `${base}/first-paint.js`),
      sound: loads('audio', `${base}${medium}`),
    };
    const outcomes = Object.entries(attempts).map(async ([name, attempted]) => [
      name,
      await attempted.then(
        () => 'reached',
        () => 'kept out',
      ),
    ]);
    return Object.fromEntries(await Promise.all(outcomes));
  }, paths);
}

/** The number of requests in `attempt` that write. */
const WRITES = 2;
const all = (outcome: string) => ({
  page: outcome,
  'written to': outcome,
  medium: outcome,
  asset: outcome,
  socket: outcome,
  image: outcome,
  script: outcome,
  sound: outcome,
});

test('blocks a page of another origin from reading, writing or framing Gatehouse', async ({
  app,
  host,
  home,
  stranger,
}) => {
  const { origin, port } = new URL(app.url());
  const { api, close } = await connectRpc(app);
  const medium = `/media/${await storeSound(app)}`;
  const before = await api.connections.list();
  await expect.poll(() => mediaCount(home)).toBe(1);
  // The browser has Gatehouse cookies for both names of this machine.
  const local = await app.context().newPage();
  await local.goto((await host.freshAddress()).replace('127.0.0.1', 'localhost'));
  await local.waitForURL(({ search }) => search === '');
  const own = [
    { page: app, base: origin },
    { page: local, base: `http://localhost:${port}` },
  ];

  const other = await app.context().newPage();
  for (const name of ['127.0.0.1', 'localhost']) {
    await other.goto(`http://${name}:${stranger.port}/`);
    for (const { base } of own) {
      const outcomes = await attempt(other, { base, asset, medium });
      expect(outcomes, `${base} from ${name}`).toEqual(all('kept out'));
    }
    expect(mediaCount(home)).toBe(1);
    for (const src of [origin, other.url()]) {
      await other.evaluate(
        (src) =>
          new Promise((resolve) => {
            const frame = document.createElement('iframe');
            frame.src = src;
            frame.onload = resolve;
            document.body.append(frame);
          }),
        src,
      );
    }
    const [, framed, control] = other.frames();
    expect(await control?.title()).toBe('Foreign server');
    expect(framed?.url()).not.toContain(origin);
    await expect(framed?.locator('nav') ?? other.locator('nav')).toHaveCount(0);
  }
  for (const { page, base } of own) {
    expect(await attempt(page, { base, asset, medium }), base).toEqual(all('reached'));
  }
  await expect.poll(() => mediaCount(home)).toBe(1 + own.length * WRITES);
  expect(await api.connections.list()).toEqual(before);
  close();
});

test('rejects requests that arrive through DNS rebinding', async ({ app, host }) => {
  const { port } = new URL(app.url());
  const address = await host.freshAddress();
  const other = await app.context().newPage();
  // Chromium resolves every name under localhost to this machine, like an attacker's DNS server.
  const reply = await other.goto(address.replace('127.0.0.1', 'rebound.localhost'));
  expect(reply?.status()).toBe(403);
  expect(new URL(other.url()).host).toBe(`rebound.localhost:${port}`);
  const attempts = (page: Page) =>
    page.evaluate(() =>
      Promise.all([
        fetch('/').then(({ status }) => status),
        fetch('/media?role=upload&name=a.wav', { method: 'POST' }).then(({ status }) => status),
        new Promise((resolve) => {
          const socket = new WebSocket(`ws://${location.host}/rpc`);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
      ]),
    );
  expect(await attempts(other)).toEqual([403, 403, 'refused']);
  // These requests must also work under Gatehouse's own name.
  await other.goto(address);
  await other.waitForURL(({ search }) => search === '');
  expect(await attempts(other)).toEqual([200, 201, 'open']);
});
