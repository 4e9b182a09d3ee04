import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { PresetSettings } from '../../shared/preset.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const settings: PresetSettings = {
  parameters: { temperature: 0.2, stop: ['END'] },
  cleared: { stream: true },
  typed: { temperature: '0.20' },
  wireNames: {},
  extraBody: '{"top_k": 7}',
};

test('a preset has its name to itself within its operation, and is replaced under it', async () => {
  const { presets } = createRouterClient(createRouter(await startTestServices()));
  const saved = await presets.save({ operation: 'completion', name: ' Exact ', settings });
  expect(saved.name).toBe('Exact');
  const other = await presets.save({ operation: 'chat', name: 'Exact', settings });
  const changed = { ...settings, parameters: { temperature: 0 } };
  expect(await presets.save({ operation: 'completion', name: 'Exact', settings: changed })).toEqual(
    { ...saved, settings: changed },
  );
  expect(await presets.list()).toEqual([{ ...saved, settings: changed }, other]);
});

test('a deleted preset comes back in its place, not over one of its name', async () => {
  const client = createRouterClient(createRouter(await startTestServices()));
  const save = (name: string) => client.presets.save({ operation: 'image', name, settings });
  const first = await save('First');
  await save('Second');
  const before = await client.presets.list();
  const removeFirst = () => client.presets.remove({ id: first.id });
  await client.deletions.undo({ ids: [(await removeFirst()).deletionId ?? ''] });
  expect(await client.presets.list()).toEqual(before);

  const { deletionId } = await removeFirst();
  const newer = await save('First');
  await client.deletions.undo({ ids: [deletionId ?? ''] });
  const after = await client.presets.list();
  expect(after.filter(({ name }) => name === 'First')).toEqual([newer]);
  expect(after.filter(({ id }) => id === first.id)).toEqual([{ ...first, name: 'First 2' }]);
  expect(await client.presets.remove({ id: 'none' })).toEqual({ deletionId: null });
});
