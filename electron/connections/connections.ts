/** Every connection there is: Demo, the one from the environment, and those the user made. */
import type {
  Connection,
  ConnectionInput,
  KeyKeeping,
  KeyProtection,
} from '../../shared/connection.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import type { Database } from '../storage/database-access.ts';
import { type ConnectionRow, createConnectionStore } from './connection-store.ts';
import { environmentConnection } from './environment-connection.ts';
import type { KeyVault } from './key-vault.ts';
import { lastFourOf } from './last-four.ts';

/** What a request needs. `key` goes to the origin of `baseUrl` only. */
export interface ResolvedConnection {
  connection: Connection;
  baseUrl: string;
  key: string | null;
}

/** Asked for what does not exist or cannot be changed, methods throw an `AppFailure`. */
export interface Connections {
  /** Demo first, then Environment, then the user's own, oldest first. */
  list(): Connection[];
  create(input: ConnectionInput): Connection;
  /** Drops the key when the origin changes: a key is sent only to the origin it was given for. */
  update(id: string, input: ConnectionInput): Promise<Connection>;
  remove(id: string): Promise<void>;
  /** The answered protection says how the key is really kept. */
  setKey(id: string, key: string, keeping: KeyKeeping): Promise<Connection>;
  removeKey(id: string): Promise<Connection>;
  resolve(id: string): Promise<ResolvedConnection>;
  /** The connection to select at start: Environment where there is one, else null (the last one). */
  initialSelection(): string | null;
  /** Every key in memory, for redaction. */
  secrets(): string[];
}

export interface ConnectionsOptions {
  db: Database;
  vault: KeyVault;
  environment: NodeJS.ProcessEnv;
  /** The built-in gateway; its address is asked for on first use. */
  demo: { readonly key: string; baseUrl(): Promise<string> };
  now: () => number;
}

/** What Demo shows before its gateway has a port. */
const DEMO_ADDRESS = 'http://127.0.0.1';

export function createConnections(options: ConnectionsOptions): Connections {
  const { db, vault, demo } = options;
  const store = createConnectionStore(db, options.now);
  const { connection: given, notice } = environmentConnection(options.environment);
  if (notice) db.warn(notice);
  let demoAddress = DEMO_ADDRESS;

  function demoConnection(): Connection {
    const key = { lastFour: '', protection: 'session' as const };
    return { id: 'demo', kind: 'demo', name: 'Demo', baseUrl: demoAddress, key, createdAt: 0 };
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
    if (id === 'demo' || id === 'environment') throw new AppFailure(fixed(id));
    throw new AppFailure(noConnection);
  }

  /** The key that belongs to the row as it is after the vault answered: the address may have changed. */
  async function resolveCustom(id: string): Promise<ResolvedConnection> {
    for (;;) {
      const before = store.get(id);
      if (!before) throw new AppFailure(noConnection);
      const key = await vault.get(id);
      if (store.get(id)?.baseUrl !== before.baseUrl) continue;
      return { connection: custom(before), baseUrl: before.baseUrl, key };
    }
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
    create: (input) => custom(store.create(input)),
    async update(id, input) {
      const row = customRow(id);
      // First the key: it must not stand beside another origin even if we are killed in between.
      if (originOf(row.baseUrl) !== originOf(input.baseUrl)) await vault.remove(id);
      store.update(id, input);
      return custom(customRow(id));
    },
    async remove(id) {
      customRow(id);
      await vault.remove(id);
      store.remove(id);
      db.write(() => db.sql('DELETE FROM model_uses WHERE connection_id = ?').run(id));
    },
    async setKey(id, key, keeping) {
      customRow(id);
      await vault.set(id, key, keeping);
      return custom(customRow(id));
    },
    async removeKey(id) {
      customRow(id);
      await vault.remove(id);
      return custom(customRow(id));
    },
    async resolve(id) {
      if (id === 'demo') {
        demoAddress = await demo.baseUrl();
        return { connection: demoConnection(), baseUrl: demoAddress, key: demo.key };
      }
      const fromEnvironment = id === 'environment' ? environment() : null;
      if (fromEnvironment && given) return { connection: fromEnvironment, ...given };
      return resolveCustom(id);
    },
    initialSelection: () => (given ? 'environment' : null),
    secrets: () => [demo.key, ...(given?.key ? [given.key] : []), ...vault.all()],
  };
}

function shown(key: string, protection: KeyProtection): Connection['key'] {
  return { lastFour: lastFourOf(key), protection };
}

function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

function fixed(id: 'demo' | 'environment') {
  return id === 'demo'
    ? appError(
        'invalid-request',
        'Demo is built in and cannot be changed.',
        'Add a connection of your own instead.',
        { fields: [] },
      )
    : appError(
        'invalid-request',
        'Environment comes from GATEHOUSE_BASE_URL and GATEHOUSE_API_KEY and cannot be changed here.',
        'Change those variables and restart, or add a connection of your own.',
        { fields: [] },
      );
}

const noConnection = appError(
  'not-found',
  'This connection no longer exists.',
  'Choose another connection.',
  {},
);
