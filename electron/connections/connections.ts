/** Manages the Demo, Environment and custom connections. */
import {
  type Connection,
  type ConnectionDraft,
  type ConnectionInput,
  type ConnectionTest,
  connectionInputSchema,
  type KeyKeeping,
  type KeyTest,
} from '../../shared/connection.ts';
import type { ConnectionFile } from '../../shared/connection-file.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { cleanPastedKey, readPastedUrl } from '../../shared/pasted-connection.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Demo } from '../demo/server.ts';
import { createKeyAccess } from '../gateway/access.ts';
import type { Network } from '../gateway/network.ts';
import type { GatewayAccess } from '../gateway/route.ts';
import { testKey } from '../models/key-test.ts';
import { testConnection } from '../models/model-list.ts';
import type { ModelSuggester } from '../models/models.ts';
import type { Prices } from '../prices/prices.ts';
import { redactAll } from '../redaction/redactor.ts';
import type { Database } from '../storage/database-access.ts';
import type { SettingsStore } from '../storage/settings-store.ts';
import { buildAccess } from './build-access.ts';
import { createDemoError } from './connection-errors.ts';
import { getKeyParts } from './connection-secrets.ts';
import { createCustomConnections, type ResolvedConnection } from './custom-connections.ts';
import { getLastFour, type KeyVault } from './key-vault.ts';
import { addPasted, noOptions, toBasicKey } from './merge-options.ts';

export interface ConnectionsOptions {
  db: Database;
  vault: KeyVault;
  environment: NodeJS.ProcessEnv;
  demo: Pick<Demo, 'key' | 'baseUrl' | 'unavailable'>;
  network: Network;
  settings: SettingsStore;
  getTimeouts(operation: OperationName): Timeouts;
  models: Pick<ModelSuggester, 'forget' | 'forgetList' | 'learn' | 'listVersion'>;
  prices: Pick<Prices, 'forget'>;
  changes: Pick<ChangeEmitter, 'announce'>;
  now: () => number;
}

/** Methods throw a `UserFacingError` for an unknown connection, and for changes to a fixed one. */
export interface Connections {
  /** Returns Demo, then Environment if it is set, then the user's connections. */
  list(): Connection[];
  create(input: ConnectionInput): Promise<Connection>;
  /** Deletes all secrets if the origin changes, because the user entered them for the old one. */
  update(id: string, input: ConnectionInput): Promise<Connection>;
  /** Also deletes the connection's secrets, prices and model suggestions, and deselects it. */
  remove(id: string): Promise<void>;
  setKey(id: string, key: string, keeping: KeyKeeping): Promise<Connection>;
  removeKey(id: string): Promise<Connection>;
  /** Returns the connection with its secrets; throws a `UserFacingError` if one is unavailable. */
  resolve(id: string): Promise<ResolvedConnection>;
  /** Requests the model list; the result has the gateway's error, if any. */
  test(id: string, signal?: AbortSignal): Promise<ConnectionTest>;
  /** Like `test`, but stores nothing, not even the model list. */
  testDraft(draft: ConnectionDraft, signal?: AbortSignal): Promise<ConnectionTest>;
  /** Sends a chat request for one token; stores nothing. */
  testKey(draft: ConnectionDraft, model: string, signal?: AbortSignal): Promise<KeyTest>;
  /** Returns the user's connections without their secrets. */
  export(): ConnectionFile;
  /** Adds all connections in the file, or throws a `UserFacingError` and adds none. */
  import(text: string): Connection[];
  /** Masks the secrets of all connections. */
  redact(text: string): string;
}

/** Selects Environment if available, because the user set its variables for this session. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { db, demo, settings, models, changes } = options;
  const custom = createCustomConnections({
    ...options,
    onRemove(id) {
      models.forget(id);
      options.prices.forget(id);
      if (settings.get().selectedConnectionId === id) {
        settings.update({ selectedConnectionId: null });
      }
    },
  });
  const { connection: given, notice } = readEnvironment(options.environment);
  if (notice) db.warn(notice);
  if (given) settings.update({ selectedConnectionId: 'environment' });
  const fixedKeys = redactAll([...getKeyParts(demo.key), ...(given?.access.secrets ?? [])]);

  function demoConnection(): Connection {
    const { baseUrl, unavailable } = demo;
    const key = { lastFour: '', protection: 'session' as const };
    const fixed = { id: 'demo', kind: 'demo', name: 'Demo', key, createdAt: 0 } as const;
    const more = unavailable === null ? {} : { unavailable };
    return { ...fixed, baseUrl, options: defaultConnectionOptions, lost: nothing, ...more };
  }

  function announceChange(id: string): Connection {
    changes.announce('connections', id);
    return custom.get(id);
  }

  async function resolve(id: string): Promise<ResolvedConnection> {
    if (id === 'demo') {
      if (demo.unavailable !== null) throw new UserFacingError(createDemoError(demo.unavailable));
      const { baseUrl, key } = demo;
      return { connection: demoConnection(), baseUrl, access: createKeyAccess(key) };
    }
    return id === 'environment' && given ? given : custom.resolve(id);
  }

  const list = (): Connection[] => [
    demoConnection(),
    ...(given ? [given.connection] : []),
    ...custom.list(),
  ];

  const toRequest = (baseUrl: string, access: GatewayAccess, signal: AbortSignal | undefined) => ({
    baseUrl,
    access,
    network: options.network,
    timeouts: options.getTimeouts('chat'),
    ...(signal && { signal }),
  });

  return {
    list,
    async create(input: ConnectionInput): Promise<Connection> {
      const { id } = await custom.create(input);
      return announceChange(id);
    },
    async update(id: string, input: ConnectionInput): Promise<Connection> {
      const { before, after } = await custom.update(id, input);
      const isAsked = ({ baseUrl, options: how }: typeof before) => JSON.stringify([baseUrl, how]);
      if (isAsked(before) !== isAsked(after) || input.options) models.forgetList(id);
      return announceChange(id);
    },
    async remove(id: string): Promise<void> {
      await custom.remove(id);
      changes.announce('connections', id);
    },
    async setKey(id: string, key: string, keeping: KeyKeeping): Promise<Connection> {
      await custom.setKey(id, key, keeping);
      models.forgetList(id);
      return announceChange(id);
    },
    async removeKey(id: string): Promise<Connection> {
      await custom.removeKey(id);
      models.forgetList(id);
      return announceChange(id);
    },
    resolve,
    async test(id: string, signal?: AbortSignal): Promise<ConnectionTest> {
      const version = models.listVersion(id);
      const { baseUrl, access } = await resolve(id);
      const request = toRequest(baseUrl, access, signal);
      const { test: result, models: found } = await testConnection(request);
      if (found !== null) models.learn(id, version, found, { baseUrl, access });
      return result;
    },
    testDraft: (draft: ConnectionDraft, signal?: AbortSignal): Promise<ConnectionTest> =>
      custom.withDraft(draft, async ({ baseUrl, access }) => {
        const { test: result } = await testConnection(toRequest(baseUrl, access, signal));
        return result;
      }),
    testKey: (draft: ConnectionDraft, model: string, signal?: AbortSignal): Promise<KeyTest> =>
      custom.withDraft(draft, ({ baseUrl, access }) =>
        testKey(toRequest(baseUrl, access, signal), draft.options?.endpoints ?? [], model),
      ),
    export: () => custom.export(),
    import(text: string): Connection[] {
      const names = list().map(({ name }) => name);
      const added = custom.import(text, names);
      for (const { id } of added) changes.announce('connections', id);
      return added;
    },
    redact: (text: string) => fixedKeys.text(custom.redact(text)),
  };
}

const nothing: Connection['lost'] = { key: false, values: false };

type EnvironmentConnection =
  | { connection: ResolvedConnection | null; notice: null }
  | { connection: null; notice: Notice };

/** Returns a notice that doesn't contain the key if the variables are invalid. */
function readEnvironment(environment: NodeJS.ProcessEnv): EnvironmentConnection {
  const address = environment.GATEHOUSE_BASE_URL?.trim() ?? '';
  const pastedKey = cleanPastedKey(environment.GATEHOUSE_API_KEY ?? '').text || null;
  if (address === '') {
    if (pastedKey === null) return { connection: null, notice: null };
    return unusable('GATEHOUSE_API_KEY is ignored because GATEHOUSE_BASE_URL isn’t set.');
  }
  const checked = connectionInputSchema.shape.baseUrl.safeParse(address);
  if (!checked.success) {
    return unusable('GATEHOUSE_BASE_URL isn’t a valid URL.');
  }
  const pasted = readPastedUrl(checked.data);
  const { baseUrl, login } = pasted;
  const id = 'environment';
  const name = 'Environment';
  const key = login === null ? pastedKey : toBasicKey(login);
  const whole = addPasted(noOptions, pasted);
  const access = buildAccess({ ...whole, key, environment, connection: { id, name } });
  const shown = key === null ? null : ({ lastFour: getLastFour(key), protection: id } as const);
  const about = { id, kind: id, name, baseUrl, key: shown, createdAt: 0, lost: nothing } as const;
  return {
    connection: { connection: { ...about, options: whole.options }, baseUrl, access },
    notice: null,
  };
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
