import { expect, onTestFinished, test } from 'vitest';
import { createChanges } from '../../electron/base/changes.ts';
import { createConnections } from '../../electron/connections/connections.ts';
import { createKeyVault } from '../../electron/connections/key-vault.ts';
import { createNetwork } from '../../electron/gateway/network.ts';
import { createModelSuggester } from '../../electron/models/models.ts';
import type { Database } from '../../electron/storage/database-access.ts';
import { createModelLists } from '../../electron/storage/model-lists.ts';
import { createModelUses } from '../../electron/storage/model-uses.ts';
import { createSettingsStore } from '../../electron/storage/settings-store.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import { defaultTimeouts } from '../../shared/settings.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';

const key = 'canary-0123456789-WXYZ';
const input = { name: 'Mine', baseUrl: 'https://gateway.example.com/v1' };

/** Creates the services that change along with a connection. */
function around(db: Database) {
  const changes = createChanges();
  let time = 1;
  const now = () => time++;
  const network = createNetwork({ environment: {}, systemProxy: null });
  onTestFinished(() => network.close());
  const uses = createModelUses(db, now);
  const resolve = () => Promise.reject(new Error('no list is asked for'));
  const getTimeouts = () => defaultTimeouts.chat;
  const settings = createSettingsStore(db, changes);
  const prices = {
    forget: () => undefined,
    getKnown: () => null,
    lookUp: () => () => null,
    reprice: () => undefined,
  };
  const lists = createModelLists(db, now);
  const models = createModelSuggester({
    resolve,
    uses,
    lists,
    prices,
    network,
    changes,
    getTimeouts,
    clock: now,
  });
  return { db, network, models, prices, changes, getTimeouts, now, uses, settings };
}

async function open(environment: NodeJS.ProcessEnv = {}) {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const vault = await createKeyVault({ home, cipher: null });
  const demo = { key: 'demo-key', baseUrl: 'http://127.0.0.1:4101', unavailable: null };
  const { uses, ...services } = around(storage.db);
  const connections = createConnections({ ...services, vault, environment, demo });
  return { ...storage, connections, uses, settings: services.settings };
}

test('offers Demo to a new user', async () => {
  const { connections, settings } = await open();
  const baseUrl = 'http://127.0.0.1:4101';
  const key = { lastFour: '', protection: 'session' };
  expect(connections.list()).toMatchObject([
    { id: 'demo', kind: 'demo', name: 'Demo', baseUrl, key },
  ]);
  expect(settings.get().selectedConnectionId).toBeNull();
  expect(await connections.resolve('demo')).toMatchObject({ baseUrl, access: { key: 'demo-key' } });
});

test('adds and selects the connection from the environment', async () => {
  const { connections, settings } = await open({
    GATEHOUSE_BASE_URL: ' https://gateway.example.com ',
    GATEHOUSE_API_KEY: key,
  });
  expect(connections.list()[1]).toEqual({
    id: 'environment',
    kind: 'environment',
    name: 'Environment',
    baseUrl: 'https://gateway.example.com',
    key: { lastFour: 'WXYZ', protection: 'environment' },
    options: defaultConnectionOptions,
    lost: { key: false, values: false },
    createdAt: 0,
  });
  expect(settings.get().selectedConnectionId).toBe('environment');
  expect(await connections.resolve('environment')).toMatchObject({ access: { key } });
  expect(connections.redact(`demo-key and ${key}`)).toBe('[redacted] and [redacted]');
});

test.each([
  ['no key', { GATEHOUSE_BASE_URL: 'http://127.0.0.1:9' }, null],
  [
    'a short key',
    { GATEHOUSE_BASE_URL: 'http://127.0.0.1:9', GATEHOUSE_API_KEY: 'short-key-1' },
    '',
  ],
])(
  'shows the last four characters of %s in the environment only if allowed',
  async (_name, environment, shown) => {
    const { connections } = await open(environment);
    expect(connections.list()[1]?.key?.lastFour ?? null).toBe(shown);
  },
);

test.each([
  ['a key without an address', { GATEHOUSE_API_KEY: key }],
  ['an invalid URL', { GATEHOUSE_BASE_URL: `gateway/${key}`, GATEHOUSE_API_KEY: key }],
])('shows a notice if the environment holds %s', async (_name, environment) => {
  const { connections, notices } = await open(environment);
  expect(connections.list()).toHaveLength(1);
  expect(notices).toMatchObject([{ id: 'environment-connection', level: 'warning' }]);
  expect(JSON.stringify(notices)).not.toContain(key);
});

test("keeps the user's connections, oldest first", async () => {
  const { connections, db } = await open();
  const first = await connections.create(input);
  const second = await connections.create({ ...input, name: 'Other' });
  expect(connections.list().slice(1)).toEqual([first, second]);
  expect(first).toMatchObject({ ...input, kind: 'custom', key: null });
  expect(db.sql('SELECT count(*) AS n FROM connections').get()?.n).toBe(2);
});

test('exposes only the last four characters of a key', async () => {
  const { connections } = await open();
  const { id } = await connections.create(input);
  const connection = await connections.setKey(id, key, 'file');
  expect(connection.key).toEqual({ lastFour: 'WXYZ', protection: 'file' });
  expect(JSON.stringify(connections.list())).not.toContain(key);
  expect(await connections.resolve(id)).toMatchObject({
    connection,
    baseUrl: input.baseUrl,
    access: { key },
  });
  expect((await connections.removeKey(id)).key).toBeNull();
});

test.each([
  ['https://gateway.example.com/other', key],
  ['HTTPS://gateway.example.com:443/v1', key],
  ['https://gateway.example.org/v1', null],
  ['http://gateway.example.com/v1', null],
  ['https://gateway.example.com:8443/v1', null],
])('after the base URL changes to %s, resolves the key as %s', async (baseUrl, expected) => {
  const { connections } = await open();
  const { id } = await connections.create(input);
  await connections.setKey(id, key, 'session');
  const updated = await connections.update(id, { name: 'Renamed', baseUrl });
  expect(updated).toMatchObject({ id, name: 'Renamed', baseUrl });
  expect(updated.key === null).toBe(expected === null);
  expect((await connections.resolve(id)).access.key).toBe(expected);
});

test('never pairs a new key with the old base URL', async () => {
  const home = temporaryFolder();
  const { db } = openTestStorage(home);
  const vault = await createKeyVault({ home, cipher: null });
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
  const slowVault = { ...vault, get: (id: string) => answers.then(() => vault.get(id)) };
  const demo = { key: 'demo-key', baseUrl: '', unavailable: null };
  const { uses: _, ...services } = around(db);
  const connections = createConnections({ ...services, vault: slowVault, environment: {}, demo });
  const { id } = await connections.create(input);
  const resolving = connections.resolve(id);
  const elsewhere = 'https://elsewhere.example.com';
  await connections.update(id, { ...input, baseUrl: elsewhere });
  await connections.setKey(id, key, 'session');
  answer();
  expect(await resolving).toMatchObject({
    baseUrl: elsewhere,
    access: { key },
  });
});

/** Opens a vault whose `remove` has taken effect but doesn't resolve yet. */
async function openWithSlowRemoval() {
  const home = temporaryFolder();
  const { db } = openTestStorage(home);
  const vault = await createKeyVault({ home, cipher: null });
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
  const slowVault = { ...vault, remove: (id: string) => vault.remove(id).then(() => answers) };
  const demo = { key: 'demo-key', baseUrl: '', unavailable: null };
  const { uses: _, ...services } = around(db);
  const connections = createConnections({ ...services, vault: slowVault, environment: {}, demo });
  return { connections, vault, answer };
}

test('deletes a key that is set while its connection is removed', async () => {
  const { connections, vault, answer } = await openWithSlowRemoval();
  const { id } = await connections.create(input);
  const removing = connections.remove(id);
  const setting = connections.setKey(id, key, 'file').catch(String);
  await new Promise((resolve) => setImmediate(resolve));
  answer();
  await removing;
  expect(await setting).toContain('This connection no longer exists.');
  expect(vault.describe(id)).toBeNull();
  expect(connections.redact(key)).toBe(key);
});

test('stores a key for the new base URL if both change at once', async () => {
  const { connections, answer } = await openWithSlowRemoval();
  const { id } = await connections.create(input);
  const elsewhere = 'https://elsewhere.example.com';
  const updating = connections.update(id, { ...input, baseUrl: elsewhere });
  const setting = connections.setKey(id, key, 'session');
  answer();
  expect((await updating).key).toBeNull();
  expect(await setting).toMatchObject({ baseUrl: elsewhere, key: { lastFour: 'WXYZ' } });
});

test('reports no key if the base URL changed while the key was being stored', async () => {
  const home = temporaryFolder();
  const { db } = openTestStorage(home);
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  const vault = await createKeyVault({ home, cipher: null });
  const slowVault = {
    ...vault,
    async set(...input: Parameters<typeof vault.set>) {
      const protection = await vault.set(...input);
      await stored;
      return protection;
    },
  };
  const demo = { key: 'demo-key', baseUrl: '', unavailable: null };
  const { uses: _, ...services } = around(db);
  const connections = createConnections({ ...services, vault: slowVault, environment: {}, demo });
  const { id } = await connections.create(input);
  const setting = connections.setKey(id, key, 'session');
  await connections.update(id, { ...input, baseUrl: 'https://elsewhere.example.com' });
  store();
  expect(await setting).toMatchObject({ key: null, lost: { key: false } });
});

test('removes a connection with its key and its models', async () => {
  const { connections, uses } = await open();
  const { id } = await connections.create(input);
  await connections.setKey(id, key, 'session');
  uses.remember(id, 'chat', 'm');
  await connections.remove(id);
  expect(connections.redact(`demo-key and ${key}`)).toBe(`[redacted] and ${key}`);
  expect(uses.listUsed(id, 'chat')).toEqual([]);
  await expect(connections.resolve(id)).rejects.toThrow('This connection no longer exists.');
});

test.each(['demo', 'environment'])('rejects changes to %s', async (id) => {
  const { connections } = await open({ GATEHOUSE_BASE_URL: 'http://127.0.0.1:9' });
  for (const change of [
    () => connections.update(id, input),
    () => connections.remove(id),
    () => connections.setKey(id, key, 'session'),
    () => connections.removeKey(id),
  ]) {
    await expect(change()).rejects.toThrow('can’t be');
  }
});
