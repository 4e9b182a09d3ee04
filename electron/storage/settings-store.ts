/** Stores each setting as a row; an unreadable value falls back to its default. */

import { parseJson } from '../../shared/parse-json.ts';
import { defaultSettings, type Settings, settingsSchema } from '../../shared/settings.ts';
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
  };
  return store;
}
