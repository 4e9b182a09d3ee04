/** What a page of somebody else can do beside Gatehouse, in the same browser. */
import { expect } from '@playwright/test';
import { connectRpc } from './fixtures/rpc-client.ts';
import { test } from './fixtures/stranger.ts';

test.skip(({ hostKind }) => hostKind !== 'browser', 'It is about the browser host.');

for (const name of ['127.0.0.1', 'localhost']) {
  test(`a page of another origin at ${name} reads, writes and frames nothing of Gatehouse`, async ({
    app,
    stranger,
  }) => {
    const { origin, port } = new URL(app.url());
    const { api, close } = await connectRpc(app);
    const before = await api.connections.list();
    const other = await app.context().newPage();
    await other.goto(`http://${name}:${stranger.port}/`);
    // It has the browser's cookies for this machine: for its own name and for Gatehouse's.
    const got = await other.evaluate(
      async ({ origins, media }) => {
        const outcome = (attempt: Promise<unknown>) =>
          attempt.then(
            () => 'reached',
            () => 'kept out',
          );
        const loads = (tag: 'img' | 'script' | 'audio', src: string) =>
          new Promise((resolve, reject) => {
            const element = document.createElement(tag);
            element.onload = resolve;
            element.onerror = reject;
            if (element instanceof HTMLAudioElement) element.oncanplay = resolve;
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
        return Promise.all(
          origins.flatMap((base) => [
            outcome(fetch(base, { credentials })),
            outcome(fetch(`${base}/media`, { method: 'POST', credentials })),
            outcome(
              fetch(`${base}/media`, { method: 'POST', credentials, mode: 'no-cors' }).then(
                // Its answer cannot be read; that nothing was written is looked at below.
                () => Promise.reject(new Error('opaque')),
              ),
            ),
            outcome(opens(`${base.replace('http', 'ws')}/rpc`)),
            outcome(loads('img', `${base}/icon.svg`)),
            outcome(loads('script', `${base}${media}`)),
            outcome(loads('audio', `${base}/media/AAAAAAAAAAAAAAAAAAAAAA`)),
          ]),
        );
      },
      { origins: [origin, `http://localhost:${port}`], media: '/assets/main.js' },
    );
    expect(new Set(got)).toEqual(new Set(['kept out']));

    await other.evaluate((base) => {
      const frame = document.createElement('iframe');
      frame.src = base;
      document.body.append(frame);
    }, origin);
    await expect.poll(() => other.frames().length).toBe(2);
    await expect(other.frames()[1]?.locator('nav') ?? other.locator('nav')).toHaveCount(0);
    expect(await api.connections.list()).toEqual(before);
    expect((await api.media.list({ kind: null, before: null, limit: 10 })).media).toEqual([]);
    close();
  });
}

test('a name that somebody else makes lead to this machine opens nothing', async ({ app }) => {
  const { port } = new URL(app.url());
  const other = await app.context().newPage();
  // Chromium resolves every name below localhost to this machine, as a DNS server of an attacker would.
  const reply = await other.goto(`http://rebound.localhost:${port}/`);
  expect(reply?.status()).toBe(403);
  const got = await other.evaluate(() =>
    Promise.all([
      fetch('/').then(({ status }) => status),
      fetch('/media', { method: 'POST' }).then(({ status }) => status),
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/rpc`);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      }),
    ]),
  );
  expect(got).toEqual([403, 403, 'refused']);
});
