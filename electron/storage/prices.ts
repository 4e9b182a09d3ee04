/** The prices of models that the user keeps, one for each connection and model. */
import { randomUUID } from 'node:crypto';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import {
  type ExportedPrice,
  type Price,
  type PriceInput,
  priceSchema,
  type Rates,
} from '../../shared/prices.ts';
import type { ChangeEmitter } from '../changes.ts';
import { type Database, unreadable } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { jsonColumn } from './json-column.ts';
import { readExportedPrices } from './read-exported-prices.ts';

export interface Prices {
  /** By connection, then model; one that cannot be read is left out with a notice. */
  list(): Price[];
  /** Null if the model has no price on the connection. */
  ratesOf(connectionId: string, model: string): Rates | null;
  /**
   * `id` null: a new one, which replaces that of the same connection and model. Throws a `UserFacingError` if the one
   * of `id` or the connection is gone, or another has its connection and model.
   */
  save(id: string | null, input: PriceInput): Price;
  /** Returns the ID with which the deletion can be undone for a while; null if there is no such price. */
  remove(id: string): string | null;
  /** The whole table, by connection names. */
  export(): ExportedPrice[];
  /**
   * Prices of the same connection and model are replaced, the others kept; returns how many rows there were. Throws an
   * `UserFacingError` that names the row for what is not valid: nothing is imported then.
   */
  import(text: string): number;
  /** Of a removed connection; its runs keep their costs. */
  forget(connectionId: string): void;
}

export interface PricesOptions {
  db: Database;
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'kind'>;
  connections: () => readonly { id: string; name: string }[];
  /** The prices of some models have changed. */
  onChange: () => void;
}

const rowSchema = priceSchema.extend({ rates: jsonColumn(priceSchema.shape.rates) });
const columns = 'id, connection_id AS connectionId, model, rates';

type Model = Pick<Price, 'connectionId' | 'model'>;

export function createPrices(options: PricesOptions): Prices {
  const { db, changes, deletions, connections, onChange } = options;

  function read(rows: unknown[]): Price[] {
    return rows.flatMap((row) => {
      const { success, data } = rowSchema.safeParse(row);
      if (!success) db.warn(unreadable('prices'));
      return success ? [data] : [];
    });
  }

  function find({ connectionId, model }: Model): Price | null {
    const rows = db
      .sql(`SELECT ${columns} FROM prices WHERE connection_id = ? AND model = ?`)
      .all(connectionId, model);
    return read(rows)[0] ?? null;
  }

  function get(id: string): Price | null {
    return read(db.sql(`SELECT ${columns} FROM prices WHERE id = ?`).all(id))[0] ?? null;
  }

  /** With the change itself: costs are computed again also where main dies in between. */
  function markRuns({ connectionId, model }: Model): void {
    db.sql('INSERT OR REPLACE INTO repricings (connection_id, model, after) VALUES (?, ?, 0)').run(
      connectionId,
      model,
    );
  }

  function put({ id, connectionId, model, rates }: Price): void {
    db.sql(`INSERT INTO prices (id, connection_id, model, rates) VALUES (?, ?, ?, ?)
      ON CONFLICT (connection_id, model) DO UPDATE SET rates = excluded.rates`).run(
      id,
      connectionId,
      model,
      JSON.stringify(rates),
    );
    markRuns({ connectionId, model });
  }

  function changed(): void {
    changes.announce('prices');
    onChange();
  }

  const recordDeletion = deletions.kind('price', {
    target: priceSchema,
    restore(price) {
      if (find(price) !== null) throw new UserFacingError(replaced(price.model));
      if (!hasConnection(price)) throw new UserFacingError(noConnection);
      put(price);
      return true;
    },
    onRestored: changed,
    finish: () => undefined,
  });

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

  const list = () =>
    read(db.sql(`SELECT ${columns} FROM prices ORDER BY connection_id, model`).all());

  return {
    list,
    ratesOf: (connectionId, model) => find({ connectionId, model })?.rates ?? null,
    save(id, input) {
      if (!hasConnection(input)) throw new UserFacingError(noConnection);
      const saved = id === null ? add(input) : update(id, input);
      changed();
      return saved;
    },
    remove(id) {
      const price = get(id);
      if (price === null) return null;
      const deletionId = recordDeletion(() => {
        db.sql('DELETE FROM prices WHERE id = ?').run(id);
        markRuns(price);
        return price;
      });
      changed();
      return deletionId;
    },
    export() {
      const names = new Map(connections().map(({ id, name }) => [id, name]));
      return list().flatMap(({ connectionId, model, rates }) => {
        const connection = names.get(connectionId);
        return connection === undefined ? [] : [{ connection, model, ...rates }];
      });
    },
    import(text) {
      const file = parseJson(text);
      const rows = isJsonObject(file) ? file.prices : file;
      if (!Array.isArray(rows)) throw new UserFacingError(noTable);
      const prices = readExportedPrices(rows, connections());
      db.write(() => prices.forEach(put));
      changed();
      return prices.length;
    },
    forget(connectionId) {
      const { changes: gone } = db.write(() => {
        db.sql('DELETE FROM repricings WHERE connection_id = ?').run(connectionId);
        return db.sql('DELETE FROM prices WHERE connection_id = ?').run(connectionId);
      });
      if (Number(gone) > 0) changes.announce('prices');
    },
  };
}

function duplicate(model: string) {
  const message = `${model} already has a price on this connection.`;
  return appError('invalid-request', message, 'Edit that price instead.', {
    fields: [{ path: ['model'], message: 'This model already has a price.' }],
  });
}

function replaced(model: string) {
  const message = `${model} has another price now.`;
  return appError('not-found', message, 'Delete that price first.', {});
}

const noTable = appError(
  'invalid-request',
  'The file is not a price table.',
  'Choose a JSON file exported from Gatehouse.',
  { fields: [] },
);
const noConnection = appError(
  'invalid-request',
  'This connection was deleted.',
  'Choose another connection.',
  { fields: [{ path: ['connectionId'], message: 'This connection was deleted.' }] },
);
const noSuchPrice = appError('not-found', 'This price was deleted.', 'Add it again.', {});
