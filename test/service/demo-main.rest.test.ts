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
  it('generates a key if none is given, and prints to stderr how to use it', async () => {
    const { child, output, ended } = run();
    await expect.poll(() => output.err).toContain('curl');
    const key = /Bearer ([^"]+)"/.exec(output.err)?.[1];
    const response = await fetch(`${output.out.trim()}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    child.kill('SIGTERM');
    await ended;
  });

  it('renders a video in the configured time', async () => {
    const { child, output, ended } = run('--key', 'k', '--video-seconds', '3600');
    await expect.poll(() => output.out).toMatch(/\n$/);
    const headers = { authorization: 'Bearer k' };
    const tasks = `${output.out.trim()}/v1/video/generations`;
    const submitted = await fetch(tasks, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        model: 'demo-video',
        prompt: 'x',
        width: 16,
        height: 16,
        duration: 1,
      }),
    });
    const { task_id: id } = await submitted.json();
    const polled = await fetch(`${tasks}/${id}`, { headers });
    expect(await polled.json()).toEqual({ task_id: id, status: 'queued' });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it.skipIf(process.platform === 'win32')(
    'exits with the shell that npm started it in',
    async () => {
      // Another command follows, so the shell stays the parent instead of replacing itself.
      const shell = spawn('sh', ['-c', '"$0" "$@"; :', process.execPath, MAIN, '--key', 'k'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, npm_lifecycle_event: 'gateway' },
      });
      let address = '';
      shell.stdout.on('data', (bytes: Buffer) => {
        address += bytes.toString();
      });
      await expect.poll(() => address).toMatch(/\n$/);
      shell.kill('SIGTERM');
      const isThere = () =>
        fetch(address.trim()).then(
          () => true,
          () => false,
        );
      await expect.poll(isThere).toBe(false);
    },
  );

  it('reports a port that is taken', async () => {
    const first = run('--key', 'k');
    await expect.poll(() => first.output.out).toMatch(/\n$/);
    const second = run('--key', 'k', '--port', new URL(first.output.out.trim()).port);
    expect(await second.ended).toEqual([1, null]);
    expect(second.output.err).toContain('EADDRINUSE');
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
