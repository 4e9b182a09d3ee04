import { expect, test } from 'vitest';
import { createKeepAwake } from '../../electron/desktop/activity.ts';
import type { Phase } from '../../shared/run.ts';
import { createPowerSaveBlocker } from '../fixtures/electron/tray.ts';

test.each<[Phase['name'], boolean]>([
  ['working', true],
  ['downloading', true],
  ['following', false],
])('a run that is %s keeps the system awake: %s', (name, holds) => {
  const blocker = createPowerSaveBlocker();
  const update = createKeepAwake(blocker);
  const run = { phase: { name, task: null } };
  update([run]);
  update([run, run]);
  expect([...blocker.blocking.values()]).toEqual(holds ? ['prevent-app-suspension'] : []);
  update([run]);
  expect(blocker.blocking.size).toBe(holds ? 1 : 0);
  update([]);
  update([]);
  expect(blocker.blocking.size).toBe(0);
});
