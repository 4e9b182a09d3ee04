/** Stores the last model list of each connection, so that its facts survive a restart. */
import { z } from 'zod';
import { type ListedModel, listedModelSchema, voiceSchema } from '../../shared/model-facts.ts';
import { type Database, tryWriting } from './database-access.ts';
import { createJsonColumn } from './rows.ts';

const listSchema = z.object({ models: z.array(listedModelSchema), voices: z.array(voiceSchema) });
const rowSchema = z.object({ readAt: z.number(), list: createJsonColumn(listSchema) });

type Lists = z.infer<typeof listSchema>;

export interface ModelList extends Lists {
  /** Unix milliseconds. */
  readAt: number;
  byId: ReadonlyMap<string, ListedModel>;
}

export interface ModelLists {
  /** Returns null if there is no list, or if it is unreadable. */
  get(connectionId: string): ModelList | null;
  /** Ignores a full disk. `repriced` has the models with new or changed prices. */
  put(connectionId: string, lists: Lists): { isChanged: boolean; repriced: string[] };
  forget(connectionId: string): void;
}

export function createModelLists(db: Database, now: () => number): ModelLists {
  const known = new Map<string, ModelList | null>();
  /** The JSON of each list since the process started, to detect changes. */
  const texts = new Map<string, string>();

  function read(connectionId: string): ModelList | null {
    const row = db
      .sql('SELECT read_at AS readAt, list FROM model_lists WHERE connection_id = ?')
      .get(connectionId);
    // A list is only a copy, so an unreadable one is refetched without a notice.
    const { data } = rowSchema.safeParse(row);
    return data === undefined ? null : toList(data.readAt, data.list);
  }

  function get(connectionId: string): ModelList | null {
    const list = known.get(connectionId);
    if (list !== undefined) return list;
    const stored = read(connectionId);
    known.set(connectionId, stored);
    return stored;
  }

  return {
    get,
    put(connectionId, { models, voices }) {
      const before = get(connectionId);
      const text = JSON.stringify({ models, voices });
      const isChanged = text !== texts.get(connectionId);
      texts.set(connectionId, text);
      const list = toList(now(), { models, voices });
      known.set(connectionId, list);
      tryWriting(db, () => {
        const insert = db.sql('INSERT OR REPLACE INTO model_lists VALUES (?, ?, ?)');
        insert.run(connectionId, list.readAt, text);
      });
      const getRates = (model: ListedModel | undefined) =>
        JSON.stringify(model?.facts?.rates ?? null);
      const repriced = models
        .filter(({ facts }) => facts?.rates != null)
        .filter((model) => getRates(model) !== getRates(before?.byId.get(model.id)))
        .map(({ id }) => id);
      return { isChanged, repriced };
    },
    forget(connectionId) {
      known.set(connectionId, null);
      texts.delete(connectionId);
      db.write(() => db.sql('DELETE FROM model_lists WHERE connection_id = ?').run(connectionId));
    },
  };
}

function toList(readAt: number, { models, voices }: Lists): ModelList {
  return { readAt, models, voices, byId: new Map(models.map((model) => [model.id, model])) };
}
