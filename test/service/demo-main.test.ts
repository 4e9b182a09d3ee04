import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../electron/demo/main.ts', import.meta.url));

function run(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    output.out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    output.err += bytes.toString();
  });
  return { child, output, ended: once(child, 'close') };
}

describe('npm run gateway', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('prints only its URL and exits on %s', async (signal) => {
    const { child, output, ended } = run('--port', '0', '--key', 'my-key');
    await expect.poll(() => output.out).toMatch(/\n$/);
    expect(output.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    const response = await fetch(`${output.out.trim()}/v1/models`, {
      headers: { authorization: 'Bearer my-key' },
    });
    expect(response.status).toBe(200);
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(output.err).toBe('');
  });

  it.each([
    ['--port', 'many'],
    ['--port', '70000'],
    ['--key', 'two words'],
    ['--video-seconds', 'soon'],
    ['--color', 'red'],
  ])('rejects %s %s with exit code 2', async (...args) => {
    const { output, ended } = run(...args);
    expect(await ended).toEqual([2, null]);
    expect(output.err).toContain('Usage: npm run gateway');
    expect(output.out).toBe('');
  });
});
