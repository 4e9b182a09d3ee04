import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createKeyVault, type KeyCipher } from '../../electron/connections/key-vault.ts';
import { KEYRING_LIMIT_MS, KEYRING_OVERDUE_LIMIT_MS } from '../../electron/connections/keyring.ts';
import type { Notice } from '../../shared/contract/system.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const key = 'canary-0123456789-WXYZ';

/** Reverses the text, which is enough to tell the stored text from the key. */
function reversingCipher(fields: Partial<KeyCipher> = {}): KeyCipher {
  const reverse = (text: string) => Array.from(text).reverse().join('');
  return {
    encrypt: async (text) => Buffer.from(reverse(text)),
    decrypt: async (bytes) => ({
      text: reverse(Buffer.from(bytes).toString()),
      shouldEncryptAgain: false,
    }),
    ...fields,
  };
}

const never = () => new Promise<never>(() => undefined);

async function openVault(home = temporaryFolder(), cipher: KeyCipher | null = null) {
  const timer = manualTimer();
  const notices: Notice[] = [];
  const keptLate: string[] = [];
  const vault = await createKeyVault({
    home,
    cipher,
    timer,
    now: () => 0,
    warn: (notice) => notices.push(notice),
    onKeptLate: (id) => keptLate.push(id),
  });
  const path = join(home, 'keys.json');
  return { home, vault, timer, notices, keptLate, path, text: () => readFileSync(path, 'utf8') };
}

/** Advances the time whenever nothing else is pending, until the work settles. */
async function hang<Result>(work: Promise<Result>, timer: ReturnType<typeof manualTimer>) {
  let done = false;
  const settled = work.finally(() => {
    done = true;
  });
  settled.catch(() => undefined);
  while (!done) {
    await setImmediate();
    timer.advance(KEYRING_LIMIT_MS);
  }
  return settled;
}

test('keeps a session key in memory only', async () => {
  const { home, vault } = await openVault();
  expect(await vault.set('a', key, 'session')).toBe('session');
  expect(vault.describe('a')).toEqual({ lastFour: 'WXYZ', protection: 'session' });
  expect(await vault.get('a')).toBe(key);
  expect(readdirSync(home)).toEqual([]);
  expect(await (await openVault(home)).vault.get('a')).toBeNull();
});

test('keeps a key in a file for the next start, readable only by this user', async () => {
  const { home, vault, path } = await openVault();
  expect(await vault.set('a', key, 'file')).toBe('file');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['keys.json']);
  const { vault: next } = await openVault(home);
  expect(await next.get('a')).toBe(key);
  expect(next.describe('a')).toEqual({ lastFour: 'WXYZ', protection: 'file' });
  expect(next.redact(`Bearer ${key}`)).toBe('Bearer [redacted]');
});

test('makes an exposed key file private again, and removes an incomplete write', async () => {
  const { home, vault, path } = await openVault();
  await vault.set('a', key, 'file');
  writeFileSync(`${path}.tmp`, key, { mode: 0o644 });
  const { mode } = statSync(path);
  rmSync(path);
  writeFileSync(path, JSON.stringify({ version: 1, keys: {} }), { mode: 0o644 });
  expect(mode & 0o777).toBe(0o600);
  await openVault(home);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['keys.json']);
});

test('stores a keyring key encrypted, and opens the keyring only when the key is needed', async () => {
  const { home, vault, text } = await openVault(undefined, reversingCipher());
  expect(await vault.set('a', key, 'keyring')).toBe('keyring');
  expect(text()).not.toContain(key);
  const decrypt = vi.fn(reversingCipher().decrypt);
  const { vault: next } = await openVault(home, reversingCipher({ decrypt }));
  expect(next.describe('a')).toEqual({ lastFour: 'WXYZ', protection: 'keyring' });
  expect(await next.get('a')).toBe(key);
  expect(await next.get('a')).toBe(key);
  expect(decrypt).toHaveBeenCalledTimes(1);
  expect(next.redact(`Bearer ${key}`)).toBe('Bearer [redacted]');
});

test('stores option secrets encrypted, without a readable ending', async () => {
  const entry = JSON.stringify({
    values: [['a', key]],
    clientCertificate: null,
    proxyLogin: 'ann:secret-word-1',
  });
  const { home, vault, text } = await openVault(undefined, reversingCipher());
  expect(await vault.set('a/options', entry, 'keyring')).toBe('keyring');
  expect(text()).not.toMatch(/canary|ord-1/);
  const { vault: next } = await openVault(home, reversingCipher());
  expect(next.describe('a/options')).toEqual({ lastFour: '', protection: 'keyring' });
  expect(await next.get('a/options')).toBe(entry);
  expect(next.redact(`${key} and secret-word-1`)).toBe('[redacted] and [redacted]');
});

test('never shows the last characters of a password', async () => {
  const { vault } = await openVault();
  await vault.set('a', 'ann:long-password', 'session');
  expect(vault.describe('a')).toEqual({ lastFour: '', protection: 'session' });
  expect(vault.redact('Password: long-password')).toBe('Password: [redacted]');
});

test('lists where a key can be stored, without opening the keyring', async () => {
  const session = ['session', 'file'];
  const encrypt = vi.fn(async () => ({ unprotected: 'No keyring .*is running.' }));
  const { vault, notices } = await openVault(undefined, reversingCipher({ encrypt }));
  expect(vault.keeping()).toEqual({ options: ['keyring', ...session], keyringReason: null });
  expect(encrypt).not.toHaveBeenCalled();
  expect(await vault.set('a', key, 'keyring')).toBe('session');
  const unusable = { options: session, keyringReason: 'No keyring .*is running.' };
  expect(vault.keeping()).toEqual(unusable);
  expect(notices).toMatchObject([{ id: 'key-not-in-keyring' }]);
  expect(JSON.stringify(notices)).not.toContain(key);
  expect(await vault.set('a', key, 'keyring')).toBe('session');
  expect(encrypt).toHaveBeenCalledTimes(1);

  const { vault: without } = await openVault();
  expect(without.keeping()).toEqual({
    options: session,
    keyringReason: 'No system keyring is available.',
  });
  expect(await without.set('a', key, 'keyring')).toBe('session');
});

/** Creates a keyring whose prompt the test answers. */
function askingCipher() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { encrypt, decrypt } = reversingCipher();
  const cipher: KeyCipher = {
    encrypt: (text) => promise.then(() => encrypt(text)),
    decrypt: (bytes) => promise.then(() => decrypt(bytes)),
  };
  return { cipher, answer: resolve };
}

test('keeps a key for the session while the keyring prompt is open, and deletes the old key', async () => {
  const { vault, timer, text } = await openVault(undefined, reversingCipher({ encrypt: never }));
  await vault.set('a', 'old-key-0123456789', 'file');
  expect(await hang(vault.set('a', key, 'keyring'), timer)).toBe('session');
  expect(await vault.get('a')).toBe(key);
  expect(text()).not.toContain('old-key');
  expect(vault.keeping()).toEqual({
    options: ['keyring', 'session', 'file'],
    keyringReason:
      'The system keyring hasn’t responded yet. Until it does, keys are kept for this session only.',
  });
});

test('stores a key once the keyring responds, however late', async () => {
  const { cipher, answer } = askingCipher();
  const { home, vault, timer, keptLate, text } = await openVault(undefined, cipher);
  expect(await hang(vault.set('a', key, 'keyring'), timer)).toBe('session');
  answer();
  await expect.poll(() => keptLate).toEqual(['a']);
  expect(vault.describe('a')).toEqual({ lastFour: 'WXYZ', protection: 'keyring' });
  expect(text()).not.toContain(key);
  expect(vault.keeping().keyringReason).toBeNull();
  expect(await (await openVault(home, reversingCipher())).vault.get('a')).toBe(key);
});

test('doesn’t store a key that was replaced or removed during the prompt', async () => {
  const { cipher, answer } = askingCipher();
  const { vault, timer, keptLate, text } = await openVault(undefined, cipher);
  await hang(vault.set('a', key, 'keyring'), timer);
  await hang(vault.set('b', key, 'keyring'), timer);
  await vault.set('a', 'newer-key-0123456789', 'file');
  await vault.remove('b');
  answer();
  await expect.poll(() => vault.keeping().keyringReason).toBeNull();
  await setImmediate();
  expect(keptLate).toEqual([]);
  expect(Object.keys(JSON.parse(text()).keys)).toEqual(['a']);
  expect(text()).toContain('newer-key');
});

test('reads a key after a late answer to the prompt, without asking again', async () => {
  const { home, vault: before } = await openVault(undefined, reversingCipher());
  await before.set('a', key, 'keyring');
  const { cipher, answer } = askingCipher();
  const decrypt = vi.fn(cipher.decrypt);
  const { vault, timer } = await openVault(home, { ...cipher, decrypt });
  await expect(hang(vault.get('a'), timer)).rejects.toThrow('didn’t respond');
  await expect(hang(vault.get('a'), timer)).rejects.toThrow('didn’t respond');
  answer();
  await expect.poll(() => vault.keeping().keyringReason).toBeNull();
  expect(await vault.get('a')).toBe(key);
  expect(decrypt).toHaveBeenCalledTimes(1);
});

test('waits one second while another prompt is open', async () => {
  const { home, vault: before } = await openVault(undefined, reversingCipher());
  for (const id of ['a', 'b']) await before.set(id, key, 'keyring');
  const { cipher, answer } = askingCipher();
  const { vault, timer } = await openVault(home, cipher);
  await expect(hang(vault.get('a'), timer)).rejects.toThrow('didn’t respond');
  const tooEarly = ['a', 'b'].map((id) => vault.get(id).catch(String));
  timer.advance(KEYRING_OVERDUE_LIMIT_MS);
  for (const failure of await Promise.all(tooEarly)) expect(failure).toContain('didn’t respond');
  const inTime = ['a', 'b'].map((id) => vault.get(id));
  timer.advance(KEYRING_OVERDUE_LIMIT_MS - 1);
  answer();
  expect(await Promise.all(inTime)).toEqual([key, key]);
});

test('keeps the stored bytes if the keyring fails', async () => {
  const { home, vault, text } = await openVault(undefined, reversingCipher());
  await vault.set('a', key, 'keyring');
  const before = text();
  const decrypt = () => Promise.reject(new Error(`temporarily unavailable ${key}`));
  const refused = await openVault(home, reversingCipher({ decrypt }));
  const failure = await refused.vault.get('a').catch((cause: unknown) => cause);
  expect(failure).toMatchObject({ error: { kind: 'file' } });
  expect(JSON.stringify(failure)).not.toContain(key);

  const silent = await openVault(home, reversingCipher({ decrypt: never }));
  await expect(hang(silent.vault.get('a'), silent.timer)).rejects.toThrow('didn’t respond');
  await expect((await openVault(home, null)).vault.get('a')).rejects.toThrow('desktop app');
  expect(text()).toBe(before);
});

test('encrypts again when the keyring asks for it', async () => {
  const { home, vault } = await openVault(undefined, reversingCipher());
  await vault.set('a', key, 'keyring');
  const decrypt = async () => ({ text: key, shouldEncryptAgain: true });
  const encrypt = async () => Buffer.from('newer');
  const { vault: next, text } = await openVault(home, reversingCipher({ decrypt, encrypt }));
  expect(await next.get('a')).toBe(key);
  await expect.poll(text).toContain(Buffer.from('newer').toString('base64'));
});

test('forgets a removed key in memory and in the file', async () => {
  const { vault, text } = await openVault();
  await vault.set('a', key, 'file');
  await vault.set('b', 'other-key-9876543210', 'file');
  await vault.remove('a');
  expect(await vault.get('a')).toBeNull();
  expect(vault.describe('a')).toBeNull();
  expect(vault.redact(`${key} other-key-9876543210`)).toBe(`${key} [redacted]`);
  expect(text()).not.toContain(key);
});

test('keeps a key for the session if the file can’t be written, with a notice', async () => {
  const { vault, path, notices } = await openVault();
  mkdirSync(path);
  expect(await vault.set('a', key, 'file')).toBe('session');
  expect(await vault.get('a')).toBe(key);
  expect(notices).toMatchObject([{ id: 'keys-not-saved', level: 'warning' }]);
  expect(JSON.stringify(notices)).not.toContain(key);
});

test('throws if a stored key can’t be deleted, and deletes it at the next attempt', async () => {
  const { vault, path, text } = await openVault();
  await vault.set('a', key, 'file');
  const content = text();
  rmSync(path);
  mkdirSync(path);
  await expect(vault.remove('a')).rejects.toThrow('The stored key couldn’t be deleted');
  rmSync(path, { recursive: true });
  writeFileSync(path, content);
  await vault.remove('a');
  expect(text()).not.toContain(key);
});

test('renames a damaged key file, with a notice', async () => {
  const { home, path } = await openVault();
  writeFileSync(path, '{"version":1,"keys":');
  const { vault, notices } = await openVault(home);
  expect(await vault.get('a')).toBeNull();
  expect(notices).toMatchObject([{ id: 'keys-unreadable' }]);
  expect(readdirSync(home)).toEqual(['keys-damaged-1970-01-01T00-00-00-000Z.json']);
});

test('keeps entries that it can’t read', async () => {
  const { home, path, text } = await openVault();
  writeFileSync(path, JSON.stringify({ version: 1, keys: { z: { protection: 'portal' } } }));
  const { vault } = await openVault(home);
  await vault.set('a', key, 'file');
  expect(JSON.parse(text()).keys).toMatchObject({ z: { protection: 'portal' }, a: { key } });
});
