/** Stores each setting as a row; an unreadable value falls back to its default. */
import { parseJson } from '../../shared/parse-json.ts';
import { defaultSettings, type Settings, settingsSchema } from '../../shared/settings.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Database } from './database-access.ts';

type SettingsChange = { [Name in keyof Settings]?: Settings[Name] | undefined };

export interface SettingsStore {
  /** Returns the same object until a setting changes. */
  get(): Settings;
  /** Changes the settings that aren't undefined, announces it, and returns all settings. */
  update(fields: SettingsChange): Settings;
}

export function createSettingsStore(
  db: Database,
  changes: Pick<ChangeEmitter, 'announce'>,
): SettingsStore {
  function read(): unknown[][] {
    return db
      .sql('SELECT name, value FROM settings')
      .all()
      .map(({ name, value }) => [name, value]);
  }

  let known: Settings | null = null;

  const store: SettingsStore = {
    get() {
      if (known !== null) return known;
      const stored = new Map(read().map(([name, value]) => [String(name), String(value)]));
      const fields: Record<string, unknown> = { ...defaultSettings };
      for (const [name, schema] of Object.entries(settingsSchema.shape)) {
        const parsed = schema.safeParse(parseJson(stored.get(name) ?? ''));
        if (parsed.success) fields[name] = parsed.data;
      }
      const settings = settingsSchema.parse(fields);
      // A transaction that is under way may still be rolled back.
      if (!db.isWriting()) known = settings;
      return settings;
    },
    update(fields) {
      known = null;
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
