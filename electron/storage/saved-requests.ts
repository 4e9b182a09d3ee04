/** The console requests that the user keeps, each under its own name. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { consoleInputSchema } from '../../shared/operations/console/input.ts';
import { MAX_NAME_LENGTH } from '../../shared/saved-name.ts';
import { type SavedRequest, savedRequestSchema } from '../../shared/saved-request.ts';
import type { ChangeEmitter } from '../changes.ts';
import { type Database, unreadable } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { jsonColumn } from './json-column.ts';
import { createNamedRowDeletion, numberedTitle } from './named-rows.ts';

export interface SavedRequests {
  /** In the order they were saved; one that cannot be read is left out with a notice. */
  list(): SavedRequest[];
  /** One of the same name is replaced in its place. */
  save(request: Omit<SavedRequest, 'id'>): SavedRequest;
  /** Returns the ID with which the deletion can be undone for a while; null if there is no such request. */
  remove(id: string): string | null;
}

const rowSchema = savedRequestSchema.extend({ request: jsonColumn(consoleInputSchema) });

export function createSavedRequests(
  db: Database,
  changes: Pick<ChangeEmitter, 'announce'>,
  deletions: Pick<Deletions, 'kind'>,
): SavedRequests {
  const remove = createNamedRowDeletion(db, deletions, {
    kind: 'saved-request',
    table: 'saved_requests',
    columns: ['row', 'id', 'name', 'request'],
    numbered: (name, number) => numberedTitle(name, number, MAX_NAME_LENGTH),
    onChange: () => changes.announce('saved-requests'),
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
      return { id: z.string().parse(saved?.id), name, request };
    },
    remove,
  };
}
