import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const leftSchema = z.object({ pid: z.number(), folder: z.string() });

// Only Linux shows the environments of processes; elsewhere, only the process group is ended.
it.runIf(process.platform === 'linux')(
  'leaves no process and no folder behind when stopped',
  async () => {
    const child = spawn(process.execPath, ['test/fixtures/start-test-session.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const { pid, folder } = leftSchema.parse(JSON.parse(line));
    expect(existsSync(folder)).toBe(true);

    child.kill('SIGTERM');
    expect(await exit).toEqual([143, null]);
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  },
);

/** Returns false for a process that has exited, even if its parent hasn't collected it yet. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
