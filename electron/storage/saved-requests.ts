/** The console requests that the user keeps, each under a name of its own. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { consoleInputSchema } from '../../shared/operations/console/input.ts';
import { type SavedRequest, savedRequestSchema } from '../../shared/saved-request.ts';
import type { Changes } from '../changes.ts';
import { type Database, unreadable } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { jsonColumn } from './json-column.ts';

export interface SavedRequests {
  /** In the order they were saved; one that cannot be read is left out with a notice. */
  list(): SavedRequest[];
  /** One of the same name is replaced in its place. */
  save(request: Omit<SavedRequest, 'id'>): SavedRequest;
  /** Returns the ID with which the deletion can be undone for a while; null where there is no such request. */
  remove(id: string): string | null;
}

const rowSchema = savedRequestSchema.extend({ request: jsonColumn(consoleInputSchema) });

export function createSavedRequests(
  db: Database,
  changes: Pick<Changes, 'announce'>,
  deletions: Pick<Deletions, 'kind'>,
): SavedRequests {
  const recordDeletion = deletions.kind('saved-request', {
    target: deletedSchema,
    undo({ row, id, name, request }) {
      const taken = db.sql('SELECT 1 FROM saved_requests WHERE row = ?').get(row) !== undefined;
      db.sql('INSERT INTO saved_requests (row, id, name, request) VALUES (?, ?, ?, ?)').run(
        ...[taken ? null : row, id, freeName(db, name), request],
      );
      changes.announce('saved-requests');
    },
    finish: () => undefined,
  });

  return {
    list() {
      return db
        .sql('SELECT id, name, request FROM saved_requests ORDER BY row')
        .all()
        .flatMap((row) => {
          const { success, data } = rowSchema.safeParse(row);
          if (!success) db.warn(unreadable('console requests'));
          return success ? [data] : [];
        });
    },
    save({ name, request }) {
      const saved = db.write(() =>
        db
          .sql(`INSERT INTO saved_requests (id, name, request) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET request = excluded.request RETURNING id`)
          .get(randomUUID(), name, JSON.stringify(request)),
      );
      changes.announce('saved-requests');
      return { id: idSchema.parse(saved?.id), name, request };
    },
    remove(id) {
      const deletionId = db.write(() => {
        const row = db
          .sql('DELETE FROM saved_requests WHERE id = ? RETURNING row, id, name, request')
          .get(id);
        return row === undefined ? null : recordDeletion(deletedSchema.parse(row));
      });
      changes.announce('saved-requests');
      return deletionId;
    },
  };
}

const idSchema = z.string();
const deletedSchema = z.object({
  row: z.int(),
  id: z.string(),
  name: z.string(),
  request: z.string(),
});

/** Another one may have been saved under the name since. */
function freeName(db: Database, name: string): string {
  const taken = db.sql('SELECT 1 FROM saved_requests WHERE name = ?');
  let free = name;
  for (let number = 2; taken.get(free) !== undefined; number += 1) free = `${name} ${number}`;
  return free;
}
