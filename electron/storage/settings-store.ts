/** Stores each setting as a row; an unreadable value falls back to its default. */

import { appError, UserFacingError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { SavedRunFilter } from '../../shared/saved-run-filter.ts';
import {
  defaultSettings,
  MAX_RUN_FILTERS,
  type Settings,
  settingsSchema,
} from '../../shared/settings.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { Database } from './database-access.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(db: Database, changes: Pick<ChangeEmitter, 'announce'>) {
  function read(): unknown[][] {
    return db
      .sql('SELECT name, value FROM settings')
      .all()
      .map(({ name, value }) => [name, value]);
  }

  const store = {
    get(): Settings {
      const stored = new Map(read().map(([name, value]) => [String(name), String(value)]));
      const fields: Record<string, unknown> = { ...defaultSettings };
      for (const [name, schema] of Object.entries(settingsSchema.shape)) {
        const parsed = schema.safeParse(parseJson(stored.get(name) ?? ''));
        if (parsed.success) fields[name] = parsed.data;
      }
      return settingsSchema.parse(fields);
    },
    update(fields: { [Name in keyof Settings]?: Settings[Name] | undefined }): Settings {
      db.write(() => {
        for (const name of settingsSchema.keyof().options) {
          if (fields[name] === undefined) continue;
          db.sql('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)').run(
            name,
            JSON.stringify(fields[name]),
          );
        }
      });
      changes.announce('settings');
      return store.get();
    },
    /** Adds the filter to the stored list, which another page may have changed. */
    saveRunFilter(filter: SavedRunFilter): Settings {
      const saved = store.get().savedRunFilters;
      if (saved.some(({ name }) => name === filter.name)) throw new UserFacingError(nameTaken);
      if (saved.length >= MAX_RUN_FILTERS) throw new UserFacingError(tooManyFilters);
      const all = [...saved, filter].toSorted((a, b) => a.name.localeCompare(b.name));
      return store.update({ savedRunFilters: all });
    },
    deleteRunFilter(name: string): Settings {
      const { savedRunFilters } = store.get();
      return store.update({ savedRunFilters: savedRunFilters.filter((one) => one.name !== name) });
    },
  };
  return store;
}

const nameTaken = appError(
  'invalid-request',
  'A filter with this name exists.',
  'Choose another name.',
  { fields: [{ path: ['name'], message: 'A filter with this name exists.' }] },
);
const tooManyFilters = appError(
  'invalid-request',
  `The limit is ${MAX_RUN_FILTERS} saved filters.`,
  'Delete a saved filter first.',
  { fields: [] },
);
