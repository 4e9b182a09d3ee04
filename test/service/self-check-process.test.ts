import { expect, test } from 'vitest';
import { runSelfCheckInChildProcess } from '../../electron/desktop/help-dialogs.ts';

/** A program that does this, in place of Electron. */
const run = (script: string, limitMs = 30_000) =>
  runSelfCheckInChildProcess({ execPath: process.execPath, args: ['-e', script, '--'], limitMs });

test('answers what the program printed when it is started for a self-check, also where checks failed', async () => {
  const report = await run(
    'console.log(JSON.stringify(process.argv.slice(1))); process.exitCode = 1',
  );
  expect(JSON.parse(report)).toEqual(['--self-check']);
});

test('says how a program ended that printed nothing', async () => {
  await expect(run('console.error("no display"); process.exit(3)')).rejects.toThrow(
    'Exited with 3. no display',
  );
  await expect(run('setInterval(() => {}, 1000)', 200)).rejects.toThrow('Exited with SIGKILL.');
  await expect(
    runSelfCheckInChildProcess({ execPath: '/nowhere/gatehouse', args: [] }),
  ).rejects.toThrow('ENOENT');
});
