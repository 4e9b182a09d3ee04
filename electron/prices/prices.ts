/** Stores one price per connection and model. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import {
  type ExportedPrice,
  exportedPriceSchema,
  type KnownPrice,
  type Price,
  type PriceInput,
  priceSchema,
} from '../../shared/prices.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Database } from '../storage/database-access.ts';
import type { Deletions } from '../storage/deletions.ts';
import { createJsonColumn, readRows } from '../storage/rows.ts';

export interface PricesOptions {
  db: Database;
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'softDelete'>;
  connections: () => readonly { id: string; name: string }[];
  /** Returns the price that applies if the user set none. */
  getOther: (connectionId: string, model: string) => KnownPrice | null;
  onChange: () => void;
}

const rowSchema = priceSchema.extend({ rates: createJsonColumn(priceSchema.shape.rates) });
const columns = 'id, connection_id AS connectionId, model, rates';

type Model = Pick<Price, 'connectionId' | 'model'>;

/** Rates are in US dollars. */
export interface Prices {
  /** Returns prices by connection and model; skips unreadable rows and shows a notice. */
  list(): Price[];
  /** Returns the price that the user set, else that of another source, or null. */
  getKnown(connectionId: string, model: string): KnownPrice | null;
  /** Returns the rates of `getKnown`. */
  getRates(connectionId: string, model: string): KnownPrice['rates'] | null;
  /** Returns a function that looks up prices of one connection without a query for each. */
  lookUp(connectionId: string): (model: string) => KnownPrice | null;
  /** Lists the models each connection has run, except those with a user-set price. */
  listUsedModels(): Model[];
  /**
   * Recomputes the costs of runs with these models, because another source's prices changed. With
   * `onlyUnpriced`, runs that have a cost keep it.
   */
  reprice(
    connectionId: string,
    models: readonly string[],
    options: { onlyUnpriced: boolean },
  ): void;
  /**
   * Adds or replaces the price if `id` is null; throws a `UserFacingError` on a conflict or a
   * missing row.
   */
  save(id: string | null, input: PriceInput): Price;
  /** Returns an ID for undo, or null if the price doesn't exist. */
  remove(id: string): string | null;
  /** Omits prices of connections that were deleted. */
  export(): ExportedPrice[];
  /**
   * Imports all rows and returns their count; throws a `UserFacingError` that names the invalid row.
   */
  import(text: string): number;
  /** Deletes the prices of a removed connection; its runs keep their costs. */
  forget(connectionId: string): void;
}

export function createPrices(options: PricesOptions): Prices {
  const { db, changes, deletions, connections, getOther, onChange } = options;

  const read = (rows: unknown[]) => readRows(db, rowSchema, rows, 'prices');

  function find({ connectionId, model }: Model): Price | null {
    const rows = db
      .sql(`SELECT ${columns} FROM prices
        WHERE connection_id = ? AND model = ? AND deleted_at IS NULL`)
      .all(connectionId, model);
    return read(rows)[0] ?? null;
  }

  function get(id: string): Price | null {
    const rows = db
      .sql(`SELECT ${columns} FROM prices WHERE id = ? AND deleted_at IS NULL`)
      .all(id);
    return read(rows)[0] ?? null;
  }

  /** Marks runs in the same transaction, so that they are repriced even after a crash. */
  function markRuns({ connectionId, model }: Model): void {
    db.sql(`INSERT OR REPLACE INTO repricings (connection_id, model, after, only_unpriced)
      VALUES (?, ?, 0, 0)`).run(connectionId, model);
  }

  function put({ id, connectionId, model, rates }: Price): void {
    db.sql(`INSERT INTO prices (id, connection_id, model, rates) VALUES (?, ?, ?, ?)
      ON CONFLICT (connection_id, model) WHERE deleted_at IS NULL
      DO UPDATE SET rates = excluded.rates`).run(id, connectionId, model, JSON.stringify(rates));
    markRuns({ connectionId, model });
  }

  function announceChange(): void {
    changes.announce('prices');
    onChange();
  }

  function hasConnection({ connectionId }: Model): boolean {
    return connections().some(({ id }) => id === connectionId);
  }

  function update(id: string, input: PriceInput): Price {
    const before = get(id);
    if (before === null) throw new UserFacingError(noSuchPrice);
    const other = find(input);
    if (other !== null && other.id !== id) throw new UserFacingError(duplicate(input.model));
    const { connectionId, model, rates } = input;
    db.write(() => {
      db.sql('UPDATE prices SET connection_id = ?, model = ?, rates = ? WHERE id = ?').run(
        connectionId,
        model,
        JSON.stringify(rates),
        id,
      );
      markRuns(before);
      markRuns(input);
    });
    return { id, ...input };
  }

  function add(input: PriceInput): Price {
    const price = { id: find(input)?.id ?? randomUUID(), ...input };
    db.write(() => put(price));
    return price;
  }

  function getKnown(connectionId: string, model: string): KnownPrice | null {
    const own = find({ connectionId, model });
    return own === null ? getOther(connectionId, model) : toKnown(own);
  }

  const list = () =>
    read(
      db
        .sql(`SELECT ${columns} FROM prices WHERE deleted_at IS NULL ORDER BY connection_id, model`)
        .all(),
    );

  return {
    list,
    getKnown,
    getRates: (connectionId: string, model: string) => getKnown(connectionId, model)?.rates ?? null,
    lookUp(connectionId: string): (model: string) => KnownPrice | null {
      const own = new Map(
        list()
          .filter((price) => price.connectionId === connectionId)
          .map((price) => [price.model, price]),
      );
      return (model) => {
        const price = own.get(model);
        return price === undefined ? getOther(connectionId, model) : toKnown(price);
      };
    },
    listUsedModels(): Model[] {
      return db
        .sql(`SELECT DISTINCT connection_id, model FROM runs
          EXCEPT SELECT connection_id, model FROM prices WHERE deleted_at IS NULL
          ORDER BY connection_id, model`)
        .all()
        .map((row) => ({ connectionId: String(row.connection_id), model: String(row.model) }));
    },
    reprice(
      connectionId: string,
      models: readonly string[],
      { onlyUnpriced }: { onlyUnpriced: boolean },
    ): void {
      if (models.length === 0) return;
      db.write(() =>
        db
          .sql(`INSERT INTO repricings (connection_id, model, after, only_unpriced)
            SELECT DISTINCT connection_id, model, 0, ?1 FROM runs
            WHERE connection_id = ?2 AND model IN (SELECT value FROM json_each(?3))
            ON CONFLICT DO UPDATE SET after = 0, only_unpriced = min(only_unpriced, ?1)`)
          .run(onlyUnpriced ? 1 : 0, connectionId, JSON.stringify(models)),
      );
      announceChange();
    },
    save(id: string | null, input: PriceInput): Price {
      if (!hasConnection(input)) throw new UserFacingError(noConnection);
      const saved = id === null ? add(input) : update(id, input);
      announceChange();
      return saved;
    },
    remove(id: string): string | null {
      const price = get(id);
      if (price === null) return null;
      const deletionId = deletions.softDelete({
        hide(deletedAt) {
          db.sql('UPDATE prices SET deleted_at = ? WHERE id = ?').run(deletedAt, id);
          markRuns(price);
        },
        restore() {
          if (find(price) !== null) throw new UserFacingError(createReplacedError(price.model));
          if (!hasConnection(price)) throw new UserFacingError(noConnection);
          markRuns(price);
        },
        onRestored: announceChange,
      });
      announceChange();
      return deletionId;
    },
    export(): ExportedPrice[] {
      const names = new Map(connections().map(({ id, name }) => [id, name]));
      return list().flatMap(({ connectionId, model, rates }) => {
        const connection = names.get(connectionId);
        return connection === undefined ? [] : [{ connection, model, ...rates }];
      });
    },
    import(text: string): number {
      const file = parseJson(text);
      const rows = isJsonObject(file) ? file.prices : file;
      if (!Array.isArray(rows)) throw new UserFacingError(noTable);
      const prices = readExportedPrices(rows, connections());
      db.write(() => prices.forEach(put));
      announceChange();
      return prices.length;
    },
    forget(connectionId: string): void {
      const { changes: gone } = db.write(() => {
        db.sql('DELETE FROM repricings WHERE connection_id = ?').run(connectionId);
        return db
          .sql('DELETE FROM prices WHERE connection_id = ? AND deleted_at IS NULL')
          .run(connectionId);
      });
      if (Number(gone) > 0) changes.announce('prices');
    },
  };
}

function toKnown({ id, rates }: Price): KnownPrice {
  return { rates, source: { kind: 'own', id } };
}

function duplicate(model: string) {
  const message = `${model} already has a price on this connection.`;
  return appError('invalid-request', message, 'Edit that price instead.', {
    fields: [{ path: ['model'], message: 'This model already has a price.' }],
  });
}

function createReplacedError(model: string) {
  const message = `The price for ${model} has changed.`;
  return appError('not-found', message, 'Delete the new price first.');
}

const noTable = appError(
  'invalid-request',
  'This file isn’t a Gatehouse price table.',
  'Choose a JSON file exported from Gatehouse.',
);
const noConnection = appError(
  'invalid-request',
  'This connection was deleted.',
  'Choose another connection.',
  { fields: [{ path: ['connectionId'], message: 'This connection was deleted.' }] },
);
const noSuchPrice = appError('not-found', 'This price was deleted.', 'Add it again.');

interface NamedConnection {
  id: string;
  name: string;
}

export function readExportedPrices(
  rows: readonly unknown[],
  connections: readonly NamedConnection[],
): Price[] {
  const known = new Map<string, number>();
  return rows.map((value, index) => {
    const { success, data, error } = exportedPriceSchema.safeParse(value);
    if (!success) throw createRowError(index, getProblem(error.issues));
    const { connection: name, model, ...rates } = data;
    const [connection, other] = connections.filter((one) => one.name === name);
    if (connection === undefined)
      throw createRowError(index, `There is no connection named “${name}”.`);
    if (other !== undefined) {
      throw createRowError(index, `Several connections are named “${name}”. Rename all but one.`);
    }
    const key = JSON.stringify([connection.id, model]);
    const first = known.get(key);
    if (first !== undefined) {
      throw createRowError(index, `${model} already has a price in row ${first + 1}.`);
    }
    known.set(key, index);
    return { id: randomUUID(), connectionId: connection.id, model, rates };
  });
}

function getProblem([issue]: readonly z.core.$ZodIssue[]): string {
  if (issue === undefined) return 'Not a valid price.';
  if (issue.code === 'unrecognized_keys') return `Unknown price field “${issue.keys[0]}”.`;
  const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${place}${issue.message}`;
}

function createRowError(index: number, problem: string): UserFacingError {
  const message = `Row ${index + 1}: ${problem}`;
  const nextStep = 'Nothing was imported. Fix the row and try again.';
  const fields = [{ path: [String(index)], message: problem }];
  return new UserFacingError(appError('invalid-request', message, nextStep, { fields }));
}
