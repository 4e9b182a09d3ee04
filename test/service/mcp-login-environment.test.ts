/** Finds the programs of MCP servers as a terminal does, although the app got another PATH. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createLoginEnvironment } from '../../electron/mcp/login-environment.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const posix = it.skipIf(process.platform === 'win32');

function writeProgram(path: string, script: string): string {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Returns a shell that runs the script and then the command, as after reading its files. */
function writeShell(folder: string, script: string): string {
  return writeProgram(join(folder, 'shell'), `${script}\neval "$2"`);
}

posix('takes PATH from what the login shell prints, once, and nothing else', async () => {
  const folder = temporaryFolder();
  const starts = join(folder, 'starts');
  const shell = writeShell(
    folder,
    `echo once >> '${starts}'\necho Welcome\nexport PATH="/opt/tools:$PATH" NVM_DIR=/nvm SECRET=x`,
  );
  const read = createLoginEnvironment({ environment: { SHELL: shell, PATH: '/usr/bin:/bin' } });
  expect(existsSync(starts)).toBe(false);
  expect(await read()).toEqual({ PATH: '/opt/tools:/usr/bin:/bin', NVM_DIR: '/nvm' });
  await read();
  expect(readFileSync(starts, 'utf8')).toBe('once\n');
});

posix.each([
  ['hangs', 'sleep 100'],
  ['fails', 'exit 1'],
])('adds the usual folders if the shell %s', async (_name, script) => {
  const environment = {
    SHELL: writeShell(temporaryFolder(), script),
    PATH: '/usr/bin:/usr/local/bin',
    HOME: '/home/me',
  };
  const read = createLoginEnvironment({ environment, limitMs: 100 });
  const PATH = '/usr/bin:/usr/local/bin:/opt/homebrew/bin:/home/me/.local/bin';
  expect(await read()).toEqual({ PATH });
});

posix('adds the usual folders if there is no such shell', async () => {
  const read = createLoginEnvironment({ environment: { SHELL: '/no/shell', PATH: '/bin' } });
  expect((await read()).PATH).toContain('/opt/homebrew/bin');
});

posix('ends with the shell what its files have started', async () => {
  const folder = temporaryFolder();
  const pidFile = join(folder, 'pid');
  const shell = writeShell(folder, `sleep 100 &\necho $! > '${pidFile}'`);
  await createLoginEnvironment({ environment: { SHELL: shell, PATH: '/usr/bin:/bin' } })();
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
});

/** Returns false for a process that has ended, even if its parent hasn't collected it yet. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

posix.each([
  ['isn’t there', 'gatehouse-no-such-program'],
  ['needs a program that isn’t there', 'needy'],
])('says the same of a program that %s', async (_name, command) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'needy'), '#!/usr/bin/env gatehouse-no-such-program\n', {
    mode: 0o755,
  });
  const services = await startTestServices({
    readLoginEnvironment: async () => ({ PATH: `${folder}:/usr/bin:/bin` }),
  });
  const transport = { type: 'stdio' as const, command, args: [], cwd: null, env: [] };
  const { id } = await services.mcp.save({ id: null, name: 'odd', transport, enabled: true });
  const { error } = await services.mcp.connect(id);
  expect(error?.message).toBe(
    'odd couldn’t be started, because its command, a program that it needs, or its folder wasn’t found.',
  );
});
