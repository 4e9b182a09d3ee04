import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UserFacingError } from '../../shared/errors.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

it.each(['media', 'media/incoming'])('names the file that is where %s belongs', async (name) => {
  const home = temporaryFolder();
  if (name !== 'media') mkdirSync(join(home, 'media'));
  writeFileSync(join(home, name), 'a file');
  const cause: unknown = await startTestServices({ home }).catch((thrown: unknown) => thrown);
  if (!(cause instanceof UserFacingError)) throw cause;
  expect(cause.error).toMatchObject({
    message: `The folder ${join(home, name)} can’t be used: a file is where a folder belongs.`,
    nextStep: 'Move that file out of the data folder, then restart Gatehouse.',
  });
});

it.each(['backup', 'restore', 'logs'])('starts if %s is a file', async (name) => {
  const home = temporaryFolder();
  writeFileSync(join(home, name), 'a file');
  const { system } = await startTestServices({ home });
  expect(system.info().notices).toEqual([]);
});

it('keeps data in memory, with a notice, if the data folder is a file', async () => {
  const home = join(temporaryFolder(), 'home');
  writeFileSync(home, 'a file');
  const { system } = await startTestServices({ home });
  expect(system.info().notices).toMatchObject([
    { message: 'Data will be lost when Gatehouse closes: a file is where a folder belongs.' },
  ]);
});
