/** The settings that the user keeps, each under its own name among those of its panel. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type ParameterPreset, presetSchema } from '../../shared/preset.ts';
import { MAX_NAME_LENGTH } from '../../shared/saved-name.ts';
import type { ChangeEmitter } from '../changes.ts';
import { type Database, unreadable } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { jsonColumn } from './json-column.ts';
import { createNamedRowDeletion, numberedTitle } from './named-rows.ts';

export interface Presets {
  /** In the order they were saved; one that cannot be read is left out with a notice. */
  list(): ParameterPreset[];
  /** One of the same operation and name is replaced in its place. */
  save(preset: Omit<ParameterPreset, 'id'>): ParameterPreset;
  /** Returns the ID with which the deletion can be undone for a while; null if there is no such preset. */
  remove(id: string): string | null;
}

const rowSchema = presetSchema.extend({ settings: jsonColumn(presetSchema.shape.settings) });
export function createPresets(
  db: Database,
  changes: Pick<ChangeEmitter, 'announce'>,
  deletions: Pick<Deletions, 'kind'>,
): Presets {
  const remove = createNamedRowDeletion(db, deletions, {
    kind: 'preset',
    table: 'presets',
    columns: ['row', 'id', 'operation', 'name', 'settings'],
    within: 'operation',
    numbered: (name, number) => numberedTitle(name, number, MAX_NAME_LENGTH),
    onChange: () => changes.announce('presets'),
  });

  return {
    list() {
      return db
        .sql('SELECT id, operation, name, settings FROM presets ORDER BY row')
        .all()
        .flatMap((row) => {
          const { success, data } = rowSchema.safeParse(row);
          if (!success) db.warn(unreadable('presets'));
          return success ? [data] : [];
        });
    },
    save({ operation, name, settings }) {
      const saved = db.write(() =>
        db
          .sql(`INSERT INTO presets (id, operation, name, settings) VALUES (?, ?, ?, ?)
            ON CONFLICT (operation, name) DO UPDATE SET settings = excluded.settings RETURNING id`)
          .get(randomUUID(), operation, name, JSON.stringify(settings)),
      );
      changes.announce('presets');
      return { id: z.string().parse(saved?.id), operation, name, settings };
    },
    remove,
  };
}
