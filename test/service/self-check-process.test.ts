import { expect, test } from 'vitest';
import { runSelfCheckInChildProcess } from '../../electron/desktop/help-dialogs.ts';

/** Runs a program with this script instead of Electron. */
const run = (script: string, limitMs = 30_000) =>
  runSelfCheckInChildProcess({ execPath: process.execPath, args: ['-e', script, '--'], limitMs });

test('returns the program’s output from a self-check, even if checks failed', async () => {
  const report = await run(
    'console.log(JSON.stringify(process.argv.slice(1))); process.exitCode = 1',
  );
  expect(JSON.parse(report)).toEqual(['--self-check']);
});

test('reports how a program without output exited', async () => {
  await expect(run('console.error("no display"); process.exit(3)')).rejects.toThrow(
    'Exited with 3. no display',
  );
  await expect(run('setInterval(() => {}, 1000)', 200)).rejects.toThrow('Exited with SIGKILL.');
  await expect(
    runSelfCheckInChildProcess({ execPath: '/nowhere/gatehouse', args: [] }),
  ).rejects.toThrow('ENOENT');
});
