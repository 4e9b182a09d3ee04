import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createKeyCipher } from '../../electron/desktop/key-cipher.ts';
import type { KeyKeeping } from '../../shared/connection.ts';
import {
  type Desktop,
  freshElectron,
  startApplication,
} from '../fixtures/electron/desktop-under-test.ts';
import { startHeldGateway } from '../fixtures/electron/held-gateway.ts';
import { connect, startChat } from '../fixtures/electron/page.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';

const KEY = 'sk-desktop-canary-0001';

async function keepKey(desktop: Desktop, keeping: KeyKeeping, baseUrl = 'http://127.0.0.1:9') {
  const { api } = await connect(desktop);
  const { id } = await api.connections.create({ name: 'Mine', baseUrl });
  const connection = await api.connections.setKey({ id, key: KEY, keeping });
  return { api, protection: connection.key?.protection, info: await api.system.info() };
}

const stored = (home: string) => readFileSync(join(home, 'keys.json'), 'utf8');

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

test.each<{ name: string; prepare: (electron: StandIn) => void; reason: RegExp }>([
  {
    name: 'the backend is basic text',
    prepare: ({ safeStorage }) => {
      safeStorage.state.backend = 'basic_text';
    },
    reason: /No keyring is running/,
  },
  {
    name: 'what it writes is encrypted with the built-in key',
    prepare: ({ safeStorage }) => {
      safeStorage.state.prefix = 'v10';
    },
    reason: /No keyring is running/,
  },
  {
    name: 'there is no key storage at all',
    prepare: ({ safeStorage }) => {
      safeStorage.state.mood = 'unavailable';
    },
    reason: /not available/,
  },
  {
    name: 'the keyring is locked',
    prepare: ({ safeStorage }) => {
      safeStorage.state.mood = 'locked';
    },
    reason: /failed/,
  },
])('keeps a key for the session and says why where $name', async ({ prepare, reason }) => {
  const desktop = await startApplication({ prepare });
  const { protection, info } = await keepKey(desktop, 'keyring');
  expect(protection).toBe('session');
  expect(info.keyKeeping).toEqual(['session', 'file']);
  expect(info.keyringReason).toMatch(reason);
});

test('the built-in key counts as protection on macOS and Windows, where it is not used', async () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const desktop = await startApplication({
      platform,
      prepare: ({ safeStorage }) => {
        safeStorage.state.prefix = 'v10';
        safeStorage.state.backend = 'unknown';
      },
    });
    expect((await keepKey(desktop, 'keyring')).protection).toBe('keyring');
  }
});

test('keeps a key for the session where a prompt of the keyring is never answered', async () => {
  const desktop = await startApplication();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    desktop.electron.safeStorage.state.mood = 'silent';
    const kept = keepKey(desktop, 'keyring');
    let done = false;
    kept.finally(() => {
      done = true;
    });
    // Real turns of the loop carry the messages; only the clock is ours.
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(1_000);
    }
    const { protection, info } = await kept;
    expect(protection).toBe('session');
    expect(info.keyringReason).toMatch(/did not respond/);
  } finally {
    vi.useRealTimers();
  }
});

test('hands on that a key should be encrypted again', async () => {
  const { app, safeStorage } = await freshElectron();
  app.moduleSettled();
  await app.whenReady();
  const cipher = createKeyCipher(safeStorage, 'linux');
  const encrypted = await cipher.encrypt(KEY);
  expect(await cipher.decrypt(encrypted)).toEqual({ text: KEY, shouldEncryptAgain: false });
  safeStorage.state.shouldReEncrypt = true;
  expect(await cipher.decrypt(encrypted)).toEqual({ text: KEY, shouldEncryptAgain: true });
});
