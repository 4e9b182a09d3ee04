import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKeyCipher } from '../../electron/desktop/key-cipher.ts';
import type { KeyKeeping } from '../../shared/connection.ts';
import {
  type Desktop,
  freshElectron,
  startApplication,
} from '../fixtures/electron/desktop-under-test.ts';
import { startHeldGateway } from '../fixtures/electron/held-gateway.ts';
import { type Api, connect, startChat } from '../fixtures/electron/page.ts';

const KEY = 'sk-desktop-canary-0001';

async function keepKey(desktop: Desktop, keeping: KeyKeeping, baseUrl = 'http://127.0.0.1:9') {
  const { api } = await connect(desktop);
  const { id } = await api.connections.create({ name: 'Mine', baseUrl });
  const connection = await api.connections.setKey({ id, key: KEY, keeping });
  return { api, protection: connection.key?.protection, info: await api.system.info() };
}

const keysPath = (home: string) => join(home, 'keys.json');
const stored = (home: string) => readFileSync(keysPath(home), 'utf8');

test('keeps a key in the keyring, encrypted, and reads it back after a restart', async () => {
  const gateway = await startHeldGateway();
  const desktop = await startApplication();
  const { protection, info } = await keepKey(desktop, 'keyring', gateway.baseUrl);
  expect(protection).toBe('keyring');
  expect(info).toMatchObject({ keyKeeping: ['keyring', 'session', 'file'], keyringReason: null });
  expect(stored(desktop.home)).not.toContain(KEY);
  const [entry] = [...stored(desktop.home).matchAll(/"([A-Za-z0-9+/=]{20,})"/g)];
  expect(Buffer.from(entry?.[1] ?? '', 'base64').toString('latin1')).toMatch(/^v11/);

  desktop.electron.app.quit();
  await desktop.electron.app.exited;
  const again = await startApplication({ home: desktop.home });
  const { api } = await connect(again);
  const [mine] = (await api.connections.list()).filter(({ name }) => name === 'Mine');
  expect(mine?.key).toEqual({ lastFour: '0001', protection: 'keyring' });
  await startChat(api, mine?.id ?? '', 'any', 'Hello');
  await vi.waitFor(() => expect(gateway.authorizations).toEqual([`Bearer ${KEY}`]));
});

test('doesn’t open the keyring at start or for Demo, notices, settings or keyless connections', async () => {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  await api.system.info();
  await startChat(api, 'demo', 'demo-chat', 'Hello');
  const { id } = await api.connections.create({ name: 'Open', baseUrl: 'http://127.0.0.1:9' });
  await api.connections.test({ id });
  await api.connections.setKey({ id, key: KEY, keeping: 'session' });
  await api.connections.setKey({ id, key: KEY, keeping: 'file' });
  await api.connections.removeKey({ id });
  expect(desktop.electron.safeStorage.state.opened).toBe(0);
  await api.connections.setKey({ id, key: KEY, keeping: 'keyring' });
  expect(desktop.electron.safeStorage.state.opened).toBe(1);
});

test('reports a missing keyring after one attempt, and stops offering it', async () => {
  const desktop = await startApplication({
    prepare: ({ safeStorage }) => {
      safeStorage.state.tag = 'v10';
    },
  });
  const { api } = await connect(desktop);
  expect((await api.system.info()).keyKeeping).toEqual(['keyring', 'session', 'file']);
  const { protection, info } = await keepKey(desktop, 'keyring');
  expect(protection).toBe('session');
  expect(info.keyKeeping).toEqual(['session', 'file']);
  expect(info.keyringReason).toMatch(/No keyring .*is running/);
  expect(info.notices).toMatchObject([
    { id: 'key-not-in-keyring', message: expect.stringContaining('No keyring') },
  ]);
});

test('keeps a key for the session if the keyring is locked, and retries next time', async () => {
  const desktop = await startApplication({
    prepare: ({ safeStorage }) => {
      safeStorage.state.mood = 'locked';
    },
  });
  const { api, protection, info } = await keepKey(desktop, 'keyring');
  expect(protection).toBe('session');
  expect(info.notices).toMatchObject([{ id: 'key-not-in-keyring' }]);
  desktop.electron.safeStorage.state.mood = 'works';
  const [mine] = (await api.connections.list()).filter(({ name }) => name === 'Mine');
  const again = { id: mine?.id ?? '', key: KEY, keeping: 'keyring' as const };
  expect((await api.connections.setKey(again)).key?.protection).toBe('keyring');
});

test.each(['darwin', 'win32'] as const)(
  'treats encryption on %s as protected',
  async (platform) => {
    const desktop = await startApplication({
      platform,
      prepare: ({ safeStorage }) => {
        safeStorage.state.tag = 'v10';
      },
    });
    expect((await keepKey(desktop, 'keyring')).protection).toBe('keyring');
  },
);

describe('a keyring prompt', () => {
  const LIMIT_MS = 10_000;

  /** Stops the clock until the test advances it. Messages still arrive. */
  function holdClock() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  /** Advances the clock until the work settles, then resumes it. */
  async function afterTheLimit<Result>(work: Promise<Result>): Promise<Result> {
    let done = false;
    const settled = work.finally(() => {
      done = true;
    });
    settled.catch(() => undefined);
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(LIMIT_MS / 10);
    }
    vi.useRealTimers();
    return await settled;
  }

  async function withPrompt(home?: string) {
    const desktop = await startApplication({
      ...(home !== undefined && { home }),
      prepare: ({ safeStorage }) => {
        safeStorage.state.mood = 'asks';
      },
    });
    const { api } = await connect(desktop);
    return { desktop, api, answer: desktop.electron.safeStorage.answerPrompt };
  }

  const mine = async (api: Api) =>
    (await api.connections.list()).find(({ name }) => name === 'Mine');

  test('notifies the page when the prompt is answered', async () => {
    const { api, answer } = await withPrompt();
    const { id } = await api.connections.create({ name: 'Mine', baseUrl: 'http://127.0.0.1:9' });
    holdClock();
    await afterTheLimit(api.connections.setKey({ id, key: KEY, keeping: 'keyring' }));
    const changes = await api.system.changes();
    answer(true);
    const topics = new Set<string>();
    for await (const { topic } of changes) {
      topics.add(topic);
      if (topics.has('connections') && topics.has('notices')) break;
    }
    expect((await mine(api))?.key?.protection).toBe('keyring');
  });

  test('keeps the key for the session if the prompt is denied after the limit, and reports it', async () => {
    const { api, answer } = await withPrompt();
    const { id } = await api.connections.create({ name: 'Mine', baseUrl: 'http://127.0.0.1:9' });
    holdClock();
    await afterTheLimit(api.connections.setKey({ id, key: KEY, keeping: 'keyring' }));
    answer(false);
    await expect.poll(async () => (await api.system.info()).notices).toHaveLength(1);
    expect((await mine(api))?.key?.protection).toBe('session');
  });
});

test('reports that the keyring wants a key encrypted again', async () => {
  const { app, safeStorage } = await freshElectron();
  app.moduleSettled();
  await app.whenReady();
  const cipher = createKeyCipher(safeStorage, 'linux');
  const encrypted = await cipher.encrypt(KEY);
  if (!(encrypted instanceof Uint8Array)) throw new Error(encrypted.unprotected);
  expect(await cipher.decrypt(encrypted)).toEqual({ text: KEY, shouldEncryptAgain: false });
  safeStorage.state.shouldReEncrypt = true;
  expect(await cipher.decrypt(encrypted)).toEqual({ text: KEY, shouldEncryptAgain: true });
});
