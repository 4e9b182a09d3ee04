import { expect, test } from 'vitest';
import { createChanges } from '../../electron/base/changes.ts';
import { createModelUses } from '../../electron/storage/model-uses.ts';
import { createSettingsStore } from '../../electron/storage/settings-store.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';

test('starts with defaults and keeps changes', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const settings = createSettingsStore(storage.db, createChanges());
  expect(settings.get()).toEqual(defaultSettings);
  const timeouts = { chat: { connectSeconds: 1, firstByteSeconds: 0, stallSeconds: 2 } };
  const changed = { ...defaultSettings, theme: 'dark', timeouts };
  expect(settings.update({ theme: 'dark', timeouts, density: undefined })).toEqual(changed);
  await storage.close();
  expect(createSettingsStore(openTestStorage(home).db, createChanges()).get()).toEqual(changed);
});

test('falls back to the default of a damaged value', () => {
  const { db } = openTestStorage();
  const settings = createSettingsStore(db, createChanges());
  settings.update({ theme: 'dark', density: 'comfortable', selectedConnectionId: 'x' });
  db.sql("UPDATE settings SET value = '{' WHERE name = 'theme'").run();
  db.sql(`UPDATE settings SET value = '"vast"' WHERE name = 'density'`).run();
  const reopened = createSettingsStore(db, createChanges());
  expect(reopened.get()).toEqual({ ...defaultSettings, selectedConnectionId: 'x' });
});

test('forgets a change that was rolled back', () => {
  const { db } = openTestStorage();
  const settings = createSettingsStore(db, createChanges());
  const change = () =>
    db.write(() => {
      expect(settings.update({ theme: 'dark' }).theme).toBe('dark');
      throw new Error('The next statement failed.');
    });
  expect(change).toThrow('The next statement failed.');
  expect(settings.get()).toEqual(defaultSettings);
});

test('keeps the format of the last use, even if a later use is undone', () => {
  const { db } = openTestStorage();
  const uses = createModelUses(db, () => 1);
  uses.remember('demo', 'chat', 'a', 'messages');
  const before = uses.remember('demo', 'chat', 'a');
  expect(uses.listUsed('demo', 'chat')).toEqual([{ id: 'a', usedAt: 1, format: '' }]);
  uses.takeBack('demo', 'chat', 'a', before);
  expect(uses.listUsed('demo', 'chat')).toEqual([{ id: 'a', usedAt: 1, format: 'messages' }]);
});

test('lists used models of a connection and operation, the most recent first', () => {
  const { db } = openTestStorage();
  let time = 0;
  const uses = createModelUses(db, () => time++);
  for (const model of ['a', 'b', 'c', 'a']) uses.remember('demo', 'chat', model);
  uses.remember('demo', 'completion', 'd');
  uses.remember('other', 'chat', 'e');
  expect(uses.listUsed('demo', 'chat').map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  const before = uses.remember('demo', 'chat', 'b');
  uses.takeBack('demo', 'chat', 'b', before);
  uses.takeBack('demo', 'chat', 'f', uses.remember('demo', 'chat', 'f'));
  expect(uses.listUsed('demo', 'chat').map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  uses.forget('demo');
  expect(uses.listUsed('demo', 'chat').map(({ id }) => id)).toEqual([]);
  expect(uses.listUsed('other', 'chat').map(({ id }) => id)).toEqual(['e']);
});

test('ignores a full disk while it remembers a model', () => {
  const { db } = openTestStorage();
  const uses = createModelUses(db, () => 0);
  db.sql('PRAGMA max_page_count = 1').get();
  expect(() => uses.remember('demo', 'chat', 'x'.repeat(100_000))).not.toThrow();
});
