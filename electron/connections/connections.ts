/** Every connection there is: Demo, the one from the environment, and those the user made. */
import type {
  Connection,
  ConnectionInput,
  ConnectionTest,
  KeyKeeping,
  KeyProtection,
} from '../../shared/connection.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ChangeEmitter } from '../changes.ts';
import { testConnection } from '../gateway/connection-test.ts';
import type { Network } from '../gateway/network.ts';
import { createRedactor } from '../gateway/redactor.ts';
import type { ModelSuggester } from '../models.ts';
import type { Database } from '../storage/database-access.ts';
import type { Prices } from '../storage/prices.ts';
import type { SettingsStore } from '../storage/settings-store.ts';
import { type ConnectionRow, createConnectionStore } from './connection-store.ts';
import { environmentConnection } from './environment-connection.ts';
import type { KeyVault } from './key-vault.ts';
import { getLastFour } from './key-vault.ts';

/** What a request needs. `key` goes to the origin of `baseUrl` only. */
export interface ResolvedConnection {
  connection: Connection;
  baseUrl: string;
  key: string | null;
}

/**
 * Announces every change. For what does not exist or cannot be changed, methods throw an
 * `UserFacingError`.
 */
export interface Connections {
  /** Demo first, then Environment, then the user's own, oldest first. */
  list(): Connection[];
  create(input: ConnectionInput): Connection;
  /** Drops the key when the origin changes: a key is sent only to the origin it was given for. */
  update(id: string, input: ConnectionInput): Promise<Connection>;
  /** With its key, its prices and what is known of its models; where it was selected, nothing is any more. */
  remove(id: string): Promise<void>;
  /** The returned protection is how the key is really kept. */
  setKey(id: string, key: string, keeping: KeyKeeping): Promise<Connection>;
  removeKey(id: string): Promise<Connection>;
  resolve(id: string): Promise<ResolvedConnection>;
  /** Reports what answers there; a gateway that does not answer is not a failure. */
  test(id: string): Promise<ConnectionTest>;
  /** The text without any key that this process knows. */
  redact(text: string): string;
}

export interface ConnectionsOptions {
  db: Database;
  vault: KeyVault;
  environment: NodeJS.ProcessEnv;
  /** The built-in gateway. */
  demo: { readonly key: string; readonly baseUrl: string };
  network: Network;
  settings: SettingsStore;
  timeoutsFor(operation: OperationName): Timeouts;
  models: Pick<ModelSuggester, 'forget' | 'forgetList' | 'learn' | 'listVersion'>;
  prices: Pick<Prices, 'forget'>;
  changes: Pick<ChangeEmitter, 'announce'>;
  now: () => number;
}

/** Selects Environment where there is one: its variables were set for this start. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { db, vault, demo, settings, models, changes } = options;
  const store = createConnectionStore(db, options.now);
  const { connection: given, notice } = environmentConnection(options.environment);
  if (notice) db.warn(notice);
  if (given) settings.update({ selectedConnectionId: 'environment' });
  const fixedKeys = [demo.key, given?.key ?? null].map(createRedactor);
  /** Changes under way that drop a key, by connection. */
  const dropping = new Map<string, Promise<unknown>>();

  /** A key that is set in the meantime waits: it would be left with another address, or with none. */
  async function whileDropping<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    while (dropping.has(id)) await dropping.get(id);
    const changing = change();
    const over = changing.catch(() => undefined).then(() => dropping.delete(id));
    dropping.set(id, over);
    return changing;
  }

  function demoConnection(): Connection {
    const key = { lastFour: '', protection: 'session' as const };
    return { id: 'demo', kind: 'demo', name: 'Demo', baseUrl: demo.baseUrl, key, createdAt: 0 };
  }

  function environment(): Connection | null {
    if (!given) return null;
    return {
      id: 'environment',
      kind: 'environment',
      name: 'Environment',
      baseUrl: given.baseUrl,
      key: given.key === null ? null : shown(given.key, 'environment'),
      createdAt: 0,
    };
  }

  function custom(row: ConnectionRow): Connection {
    return { ...row, kind: 'custom', key: vault.describe(row.id) };
  }

  function customRow(id: string): ConnectionRow {
    const row = store.get(id);
    if (row) return row;
    if (id === 'demo' || id === 'environment') throw new UserFacingError(fixed(id));
    throw new UserFacingError(noConnection);
  }

  /** The key that belongs to the row once the vault has answered: the address may have changed. */
  async function resolveCustom(id: string): Promise<ResolvedConnection> {
    for (;;) {
      const before = store.get(id);
      if (!before) throw new UserFacingError(noConnection);
      const key = await vault.get(id);
      if (store.get(id)?.baseUrl !== before.baseUrl) continue;
      return { connection: custom(before), baseUrl: before.baseUrl, key };
    }
  }

  function announced(id: string): Connection {
    changes.announce('connections', id);
    return custom(customRow(id));
  }

  async function resolve(id: string): Promise<ResolvedConnection> {
    if (id === 'demo') {
      return { connection: demoConnection(), baseUrl: demo.baseUrl, key: demo.key };
    }
    const fromEnvironment = id === 'environment' ? environment() : null;
    if (fromEnvironment && given) return { connection: fromEnvironment, ...given };
    return resolveCustom(id);
  }

  return {
    list() {
      const fromEnvironment = environment();
      return [
        demoConnection(),
        ...(fromEnvironment ? [fromEnvironment] : []),
        ...store.list().map(custom),
      ];
    },
    create: (input) => announced(store.create(input).id),
    update: (id, input) =>
      whileDropping(id, async () => {
        const row = customRow(id);
        // First the key: it must not be stored with another origin even if we are killed in between.
        if (getOrigin(row.baseUrl) !== getOrigin(input.baseUrl)) await vault.remove(id);
        store.update(id, input);
        if (row.baseUrl !== input.baseUrl) models.forgetList(id);
        return announced(id);
      }),
    remove: (id) =>
      whileDropping(id, async () => {
        customRow(id);
        await vault.remove(id);
        db.write(() => {
          store.remove(id);
          models.forget(id);
          options.prices.forget(id);
          if (settings.get().selectedConnectionId !== id) return;
          settings.update({ selectedConnectionId: null });
        });
        changes.announce('connections', id);
      }),
    async setKey(id, key, keeping) {
      while (dropping.has(id)) await dropping.get(id);
      customRow(id);
      await vault.set(id, key, keeping);
      models.forgetList(id);
      return announced(id);
    },
    async removeKey(id) {
      customRow(id);
      await vault.remove(id);
      models.forgetList(id);
      return announced(id);
    },
    resolve,
    async test(id) {
      const version = models.listVersion(id);
      const { baseUrl, key } = await resolve(id);
      const { network } = options;
      const { test, models: list } = await testConnection({
        baseUrl,
        key,
        network,
        timeouts: options.timeoutsFor('chat'),
      });
      if (list !== null) models.learn(id, version, list);
      return test;
    },
    redact: (text) => fixedKeys.reduce((left, key) => key.text(left), vault.redact(text)),
  };
}

function shown(key: string, protection: KeyProtection): Connection['key'] {
  return { lastFour: getLastFour(key), protection };
}

function getOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

function fixed(id: 'demo' | 'environment') {
  return id === 'demo'
    ? appError(
        'invalid-request',
        'Demo is built in and cannot be changed.',
        'Add your own connection instead.',
        { fields: [] },
      )
    : appError(
        'invalid-request',
        'Environment comes from GATEHOUSE_BASE_URL and GATEHOUSE_API_KEY and cannot be changed here.',
        'Change those variables and restart, or add your own connection.',
        { fields: [] },
      );
}

const noConnection = appError(
  'not-found',
  'This connection no longer exists.',
  'Choose another connection.',
  {},
);
