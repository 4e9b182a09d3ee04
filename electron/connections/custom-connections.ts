/** Stores, changes and resolves the user's connections, whose secrets are tied to their origin. */
import {
  type Connection,
  type ConnectionDraft,
  type ConnectionInput,
  type KeyKeeping,
  type KeyProtection,
  keyKeepingSchema,
} from '../../shared/connection.ts';
import type { ConnectionFile } from '../../shared/connection-file.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { cleanPastedKey, readPastedUrl } from '../../shared/pasted-connection.ts';
import { isBasic } from '../gateway/access.ts';
import type { GatewayAccess } from '../gateway/route.ts';
import { redactAll } from '../redaction/redactor.ts';
import type { Database } from '../storage/database-access.ts';
import { buildAccess } from './build-access.ts';
import {
  createFixedError,
  createKeyFieldError,
  createNeededError,
  noConnectionError,
} from './connection-errors.ts';
import { getSecretsId, noSecrets, readSecrets, writeSecrets } from './connection-secrets.ts';
import { createConnectionStore, type StoredConnection } from './connection-store.ts';
import { exportConnections, readConnectionFile } from './connection-transfer.ts';
import type { KeyVault } from './key-vault.ts';
import {
  addPasted,
  forgetSecrets,
  isComplete,
  mergeOptions,
  needsSecrets,
  noOptions,
  toBasicKey,
  type WholeOptions,
} from './merge-options.ts';

/** `access` may be used only for the origin of `baseUrl`. */
export interface ResolvedConnection {
  connection: Connection;
  baseUrl: string;
  access: GatewayAccess;
}

export interface CustomConnectionsOptions {
  db: Database;
  vault: KeyVault;
  environment: NodeJS.ProcessEnv;
  now: () => number;
  /** Called in the transaction that removes the connection. */
  onRemove(id: string): void;
}

/** Methods throw a `UserFacingError` for an unknown connection, invalid input or a failed keyring. */
export interface CustomConnections {
  list(): Connection[];
  get(id: string): Connection;
  /** Throws a `UserFacingError` if a secret is missing or a variable isn't set. */
  resolve(id: string): Promise<ResolvedConnection>;
  create(input: ConnectionInput): Promise<Connection>;
  /** Resolves to the connection before and after the change; a new origin deletes all secrets. */
  update(
    id: string,
    input: ConnectionInput,
  ): Promise<{ before: StoredConnection; after: StoredConnection }>;
  /** Also deletes the connection's secrets. */
  remove(id: string): Promise<void>;
  setKey(id: string, given: string, keeping: KeyKeeping): Promise<void>;
  removeKey(id: string): Promise<void>;
  /** Calls `work` with the resolved draft and stores nothing. */
  withDraft<Result>(
    draft: ConnectionDraft,
    work: (resolved: Omit<ResolvedConnection, 'connection'>) => Promise<Result>,
  ): Promise<Result>;
  /** Returns all connections without their secrets. */
  export(): ConnectionFile;
  /** Adds all connections in the file, or none; renames those whose name is in `names`. */
  import(text: string, names: readonly string[]): Connection[];
  /** Masks the keys in memory and the secrets that requests have used. */
  redact(text: string): string;
}

export function createCustomConnections(options: CustomConnectionsOptions): CustomConnections {
  const { db, vault, environment } = options;
  const store = createConnectionStore(db, options.now);
  const changing = new Map<string, Promise<unknown>>();
  /** Secrets sent in requests, including the values of variables, by connection or draft. */
  const carried = new Map<string | object, readonly string[]>();

  /** Serializes changes, so that no key is stored for another address or a deleted connection. */
  async function lockConnection<Result>(
    id: string,
    change: () => Promise<Result>,
  ): Promise<Result> {
    while (changing.has(id)) await changing.get(id);
    const work = change();
    const over = work.catch(() => undefined).then(() => changing.delete(id));
    changing.set(id, over);
    return work;
  }

  function getRow(id: string): StoredConnection {
    const row = store.get(id);
    if (row) return row;
    if (id === 'demo' || id === 'environment') throw new UserFacingError(createFixedError(id));
    throw new UserFacingError(noConnectionError);
  }

  function show({ id, name, baseUrl, createdAt, ...row }: StoredConnection): Connection {
    const key = vault.describe(id);
    const areSecretsGone = vault.describe(getSecretsId(id)) === null;
    const lost = {
      key: row.keyKept !== null && key === null,
      values: needsSecrets(row.options) && areSecretsGone,
    };
    return { id, kind: 'custom', name, baseUrl, key, options: row.options, lost, createdAt };
  }

  async function readWhole({ id, options, caText }: StoredConnection): Promise<WholeOptions> {
    const entry = needsSecrets(options) ? await vault.get(getSecretsId(id)) : null;
    return { options, caText, secrets: readSecrets(entry) ?? noSecrets };
  }

  /** Merges the page's input with the saved connection; `row` is null for a new connection. */
  async function prepare(
    row: StoredConnection | null,
    input: Pick<ConnectionInput, 'baseUrl' | 'options'>,
  ) {
    const pasted = readPastedUrl(input.baseUrl);
    const isSameOrigin = row !== null && getOrigin(row.baseUrl) === getOrigin(pasted.baseUrl);
    const isRead = row !== null && (isSameOrigin || input.options !== undefined);
    const saved = isRead ? await readWhole(row) : { ...noOptions, ...row, secrets: noSecrets };
    const kept = isSameOrigin ? saved : forgetSecrets(saved);
    const given =
      input.options === undefined ? kept : mergeOptions(saved, input.options, isSameOrigin);
    const { baseUrl, login } = pasted;
    return { baseUrl, login, isSameOrigin, saved, whole: addPasted(given, pasted) };
  }

  async function keepSecrets(
    { id, secretsKept }: Pick<StoredConnection, 'id' | 'secretsKept'>,
    whole: WholeOptions,
    keeping: KeyKeeping,
  ): Promise<void> {
    if (!needsSecrets(whole.options)) {
      if (secretsKept !== null) await vault.remove(getSecretsId(id));
      store.update(id, { secretsKept: null });
    } else if (isComplete(whole)) {
      const kept = await vault.set(getSecretsId(id), writeSecrets(whole.secrets), keeping);
      store.update(id, { secretsKept: kept });
    }
  }

  function chooseKeeping(input: KeyKeeping | undefined, before: KeyProtection | null): KeyKeeping {
    const { success, data } = keyKeepingSchema.safeParse(before);
    return input ?? (success ? data : (vault.keeping().options[0] ?? 'session'));
  }

  async function keepKey(id: string, key: string, keeping: KeyKeeping): Promise<void> {
    const keyKept = await vault.set(id, key, keeping);
    // A change of the origin may have removed the key while the keyring was open.
    if (vault.describe(id) !== null) store.update(id, { keyKept });
  }

  async function resolve(id: string): Promise<ResolvedConnection> {
    for (;;) {
      while (changing.has(id)) await changing.get(id);
      const row = store.get(id);
      if (!row) throw new UserFacingError(noConnectionError);
      const key = await vault.get(id);
      const whole = await readWhole(row);
      // Retry if the connection changed while its secrets were being read.
      if (JSON.stringify(store.get(id)) !== JSON.stringify(row)) continue;
      const connection = show(row);
      if (key === null && row.keyKept !== null) {
        const needed = { connection, missing: 'key', kept: row.keyKept } as const;
        throw new UserFacingError(createNeededError(needed));
      }
      if (!isComplete(whole)) throw createValuesError(row);
      const { name, baseUrl } = row;
      const access = buildAccess({ ...whole, key, environment, connection: { id, name } });
      carried.set(id, access.secrets);
      return { connection, baseUrl, access };
    }
  }

  return {
    list: (): Connection[] => store.list().map(show),
    get: (id: string): Connection => show(getRow(id)),
    resolve,

    async create(input: ConnectionInput): Promise<Connection> {
      const { baseUrl, login, whole } = await prepare(null, input);
      const { options, caText } = whole;
      const fields = { name: input.name, baseUrl, options, caText };
      const [row] = store.add([{ ...fields, keyKept: null, secretsKept: null }]);
      if (row === undefined) throw new TypeError('No connection was added.');
      return lockConnection(row.id, async () => {
        const keeping = chooseKeeping(input.keeping, null);
        await keepSecrets(row, whole, keeping);
        if (login !== null) await keepKey(row.id, toBasicKey(login), keeping);
        return show(getRow(row.id));
      });
    },

    update: (id: string, input: ConnectionInput) =>
      lockConnection(id, async () => {
        const row = getRow(id);
        const { baseUrl, login, isSameOrigin, saved, whole } = await prepare(row, input);
        // Delete the secrets first, so that a crash never leaves them with another origin.
        if (!isSameOrigin) {
          await vault.remove(id);
          await vault.remove(getSecretsId(id));
        }
        const { options, caText } = whole;
        const forgotten = isSameOrigin ? {} : { keyKept: null, secretsKept: null };
        store.update(id, { name: input.name, baseUrl, options, caText, ...forgotten });
        const keeping = chooseKeeping(input.keeping, row.secretsKept);
        const isUnchanged =
          isSameOrigin &&
          keeping === row.secretsKept &&
          writeSecrets(saved.secrets) === writeSecrets(whole.secrets);
        if (!isUnchanged) await keepSecrets(row, whole, keeping);
        if (login !== null) await keepKey(id, toBasicKey(login), keeping);
        return { before: row, after: getRow(id) };
      }),

    remove: (id: string) =>
      lockConnection(id, async () => {
        getRow(id);
        await vault.remove(id);
        await vault.remove(getSecretsId(id));
        db.write(() => {
          store.remove(id);
          options.onRemove(id);
        });
        carried.delete(id);
      }),

    async setKey(id: string, given: string, keeping: KeyKeeping): Promise<void> {
      while (changing.has(id)) await changing.get(id);
      const { options: current } = getRow(id);
      const key = cleanKey(given, current);
      if (key === '') throw new UserFacingError(createKeyFieldError('Enter a key.'));
      if (isBasic(current.keyHeader) && !key.includes(':')) {
        throw new UserFacingError(createKeyFieldError('Enter user:password for Basic.'));
      }
      await keepKey(id, key, keeping);
    },

    async removeKey(id: string): Promise<void> {
      getRow(id);
      await vault.remove(id);
      store.update(id, { keyKept: null });
    },

    async withDraft<Result>(
      draft: ConnectionDraft,
      work: (resolved: Omit<ResolvedConnection, 'connection'>) => Promise<Result>,
    ): Promise<Result> {
      const row = draft.id === null ? null : getRow(draft.id);
      const { baseUrl, login, isSameOrigin, whole } = await prepare(row, draft);
      if (row !== null && !isComplete(whole)) throw createValuesError(row);
      const saved = row !== null && isSameOrigin ? () => vault.get(row.id) : () => null;
      const typed = draft.key === undefined ? null : cleanKey(draft.key, whole.options);
      const key = login === null ? (typed ?? (await saved())) : toBasicKey(login);
      const connection = row && { id: row.id, name: row.name };
      const access = buildAccess({ ...whole, key: key || null, environment, connection });
      carried.set(draft, access.secrets);
      try {
        return await work({ baseUrl, access });
      } finally {
        carried.delete(draft);
      }
    },

    export: (): ConnectionFile => exportConnections(store.list()),
    import: (text: string, names: readonly string[]): Connection[] =>
      store.add(readConnectionFile(text, names)).map(show),

    redact: (text: string): string =>
      [...carried.values()].reduce(
        (left, secrets) => redactAll(secrets).text(left),
        vault.redact(text),
      ),
  };
}

function createValuesError(connection: StoredConnection): UserFacingError {
  const kept = connection.secretsKept;
  return new UserFacingError(createNeededError({ connection, missing: 'values', kept }));
}

function getOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Leaves Basic passwords unchanged except for outer spaces, because they may contain anything. */
function cleanKey(key: string, { keyHeader }: WholeOptions['options']): string {
  return isBasic(keyHeader) ? key.trim() : cleanPastedKey(key).text;
}
