/** Manages the Demo, Environment and custom connections; the key vault stores their keys. */
import { randomUUID } from 'node:crypto';
import {
  type Connection,
  type ConnectionInput,
  type ConnectionTest,
  connectionInputSchema,
  type KeyKeeping,
  type KeyProtection,
} from '../../shared/connection.ts';
import type { Notice } from '../../shared/contract/system.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { Demo } from '../demo/server.ts';
import { testConnection } from '../gateway/model-list.ts';
import type { Network } from '../gateway/network.ts';
import { createRedactor } from '../gateway/redactor.ts';
import type { ModelSuggester } from '../models.ts';
import type { Database } from '../storage/database-access.ts';
import type { Prices } from '../storage/prices.ts';
import type { SettingsStore } from '../storage/settings-store.ts';
import { getLastFour, type KeyVault } from './key-vault.ts';

/** The key is sent only to the origin of `baseUrl`. */
export interface ResolvedConnection {
  connection: Connection;
  baseUrl: string;
  key: string | null;
}

export interface ConnectionsOptions {
  db: Database;
  vault: KeyVault;
  environment: NodeJS.ProcessEnv;
  demo: Pick<Demo, 'key' | 'baseUrl' | 'unavailable'>;
  network: Network;
  settings: SettingsStore;
  timeoutsFor(operation: OperationName): Timeouts;
  models: Pick<ModelSuggester, 'forget' | 'forgetList' | 'learn' | 'listVersion'>;
  prices: Pick<Prices, 'forget'>;
  changes: Pick<ChangeEmitter, 'announce'>;
  now: () => number;
}

/** Selects Environment if available, because the user set its variables for this session. */
export function createConnections(options: ConnectionsOptions) {
  const { db, vault, demo, settings, models, changes } = options;
  const store = createConnectionStore(db, options.now);
  const { connection: given, notice } = environmentConnection(options.environment);
  if (notice) db.warn(notice);
  if (given) settings.update({ selectedConnectionId: 'environment' });
  const fixedKeys = [demo.key, given?.key ?? null].map(createRedactor);
  const dropping = new Map<string, Promise<unknown>>();

  /** Serializes changes, so that no key is stored for another address or a deleted connection. */
  async function whileDropping<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    while (dropping.has(id)) await dropping.get(id);
    const changing = change();
    const over = changing.catch(() => undefined).then(() => dropping.delete(id));
    dropping.set(id, over);
    return changing;
  }

  function demoConnection(): Connection {
    const { baseUrl, unavailable } = demo;
    const key = { lastFour: '', protection: 'session' as const };
    const fixed = { id: 'demo', kind: 'demo', name: 'Demo', key, createdAt: 0 } as const;
    return { ...fixed, baseUrl, ...(unavailable !== null && { unavailable }) };
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

  /** Retries if the base URL changed while the key was being read. */
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
      if (demo.unavailable !== null) throw new UserFacingError(demoUnavailable(demo.unavailable));
      return { connection: demoConnection(), baseUrl: demo.baseUrl, key: demo.key };
    }
    const fromEnvironment = id === 'environment' ? environment() : null;
    if (fromEnvironment && given) return { connection: fromEnvironment, ...given };
    return resolveCustom(id);
  }

  return {
    list(): Connection[] {
      const fromEnvironment = environment();
      return [
        demoConnection(),
        ...(fromEnvironment ? [fromEnvironment] : []),
        ...store.list().map(custom),
      ];
    },
    create: (input: ConnectionInput) => announced(store.create(input).id),
    /** Deletes the key if the origin changes, because the user entered it for the old origin. */
    update: (id: string, input: ConnectionInput) =>
      whileDropping(id, async () => {
        const row = customRow(id);
        // Delete the key first, so that a crash never leaves it associated with another origin.
        if (getOrigin(row.baseUrl) !== getOrigin(input.baseUrl)) await vault.remove(id);
        store.update(id, input);
        if (row.baseUrl !== input.baseUrl) models.forgetList(id);
        return announced(id);
      }),
    /** Also deletes the connection's key, prices and model suggestions, and deselects it. */
    remove: (id: string) =>
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
    async setKey(id: string, key: string, keeping: KeyKeeping): Promise<Connection> {
      while (dropping.has(id)) await dropping.get(id);
      customRow(id);
      await vault.set(id, key, keeping);
      models.forgetList(id);
      return announced(id);
    },
    async removeKey(id: string): Promise<Connection> {
      customRow(id);
      await vault.remove(id);
      models.forgetList(id);
      return announced(id);
    },
    resolve,
    async test(id: string): Promise<ConnectionTest> {
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
    redact: (text: string) => fixedKeys.reduce((left, key) => key.text(left), vault.redact(text)),
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
        'Demo is built in and can’t be changed.',
        'Add your own connection instead.',
      )
    : appError(
        'invalid-request',
        '“Environment” is set by GATEHOUSE_BASE_URL and GATEHOUSE_API_KEY and can’t be edited here.',
        'Change those variables and restart, or add your own connection.',
      );
}

function demoUnavailable(reason: string) {
  return appError(
    'unreachable',
    `Demo is unavailable. ${reason}`,
    'Restart Gatehouse, or add your own connection.',
  );
}

const noConnection = appError(
  'not-found',
  'This connection no longer exists.',
  'Choose another connection.',
);

type ConnectionRow = Pick<Connection, 'id' | 'name' | 'baseUrl' | 'createdAt'>;

const columns = 'id, name, base_url, created_at';

function createConnectionStore(db: Database, now: () => number) {
  return {
    list: () =>
      db.sql(`SELECT ${columns} FROM connections ORDER BY created_at, id`).all().map(readRow),
    get(id: string): ConnectionRow | null {
      const row = db.sql(`SELECT ${columns} FROM connections WHERE id = ?`).get(id);
      return row ? readRow(row) : null;
    },
    create({ name, baseUrl }: ConnectionInput): ConnectionRow {
      const row = { id: randomUUID(), name, baseUrl, createdAt: now() };
      db.write(() =>
        db
          .sql(`INSERT INTO connections (${columns}) VALUES (?, ?, ?, ?)`)
          .run(row.id, name, baseUrl, row.createdAt),
      );
      return row;
    },
    update(id: string, { name, baseUrl }: ConnectionInput): void {
      db.write(() =>
        db.sql('UPDATE connections SET name = ?, base_url = ? WHERE id = ?').run(name, baseUrl, id),
      );
    },
    remove(id: string): void {
      db.write(() => db.sql('DELETE FROM connections WHERE id = ?').run(id));
    },
  };
}

function readRow(row: Record<string, unknown>): ConnectionRow {
  return {
    id: String(row.id),
    name: String(row.name),
    baseUrl: String(row.base_url),
    createdAt: Number(row.created_at),
  };
}

type EnvironmentConnection =
  | { connection: { baseUrl: string; key: string | null } | null; notice: null }
  | { connection: null; notice: Notice };

/** Returns a notice that doesn't contain the key if the variables are invalid. */
function environmentConnection(environment: NodeJS.ProcessEnv): EnvironmentConnection {
  const address = environment.GATEHOUSE_BASE_URL?.trim() ?? '';
  const key = environment.GATEHOUSE_API_KEY?.trim() || null;
  if (address === '') {
    if (key === null) return { connection: null, notice: null };
    return unusable('GATEHOUSE_API_KEY is ignored because GATEHOUSE_BASE_URL isn’t set.');
  }
  const baseUrl = connectionInputSchema.shape.baseUrl.safeParse(address);
  if (!baseUrl.success) {
    return unusable('GATEHOUSE_BASE_URL isn’t a valid URL.');
  }
  return { connection: { baseUrl: baseUrl.data, key }, notice: null };
}

function unusable(message: string): EnvironmentConnection {
  return {
    connection: null,
    notice: {
      id: 'environment-connection',
      level: 'warning',
      message,
      nextStep: 'Set GATEHOUSE_BASE_URL (for example, https://gateway.example.com) and restart.',
    },
  };
}
