import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeLaunchFolders } from '../fixtures/launch-folder.ts';
import { TEST_MS } from '../fixtures/patience.ts';

const { path: getRoot, binary, start } = makeLaunchFolders();

describe('starting the desktop', () => {
  it('explains how to allow a blocked sandbox, and never turns it off', async () => {
    const outcome = await start(
      "console.error('FATAL:setuid_sandbox_host.cc(163)] You need to make sure that /opt/it\\'s/chrome-sandbox is owned by root and has mode 4755.'); process.kill(process.pid, 'SIGTRAP')",
    );
    expect(outcome).toEqual({
      state: 'failed',
      reason: "this system blocks Chromium's sandbox",
      remedy: expect.stringContaining("sudo chmod 4755 '/opt/it'\\''s/chrome-sandbox'"),
    });
  });

  it.each([
    [
      'asks it to end',
      "process.once('SIGTERM', () => { console.log('gatehouse: closed'); process.exit(0); }); ",
      20_000,
    ],
    ['kills it if it keeps running', "process.on('SIGTERM', () => undefined); ", 300],
  ])('gives up if no window appears: %s', async (_name, source, quitMs) => {
    const warned = vi.spyOn(console, 'error');
    onTestFinished(() => warned.mockRestore());
    const limits = { readyMs: 1_500, quitMs };
    const outcome = await start(`${source}setInterval(() => undefined, 1000)`, limits);
    const reason = 'the window wasn’t ready after 1.5 seconds';
    expect(outcome).toEqual({ state: 'failed', reason, remedy: null });
    expect(warned).not.toHaveBeenCalled();
  });

  it.each([
    ['it exits by itself', 'setTimeout(() => process.exit(0), 20)'],
    ['it has to be killed', 'setInterval(() => undefined, 1000)'],
  ])('reports the main process’s reason if the page never appeared and %s', async (_name, rest) => {
    const outcome = await start(`console.log('gatehouse: no window: its page crashed'); ${rest}`);
    expect(outcome).toEqual({ state: 'failed', reason: 'its page crashed', remedy: null });
  });
});

describe("the gateway's key", () => {
  /** Prints the environment that child processes would inherit. */
  const TAKE = `
    (async () => {
      const { takeKey } = await import(${JSON.stringify(join(import.meta.dirname, '../../electron/gateway-key.ts'))});
      const before = process.env.GATEHOUSE_API_KEY ?? null;
      const key = takeKey(process.env);
      const left = Object.keys(process.env).filter((name) => /GATEHOUSE_(API_)?KEY/.test(name));
      process.stderr.write(JSON.stringify({ before, key, left }));
    })();`;

  it.each([
    ['linux', 'sk-hand-over-1', null],
    ['darwin', 'sk-hand-over-1', null],
    // On Linux, Electron starts no helper before the main code, and stdin doesn't reach it.
    ['win32', 'sk-hand-over-1', 'sk-hand-over-1'],
    ['linux', null, null],
  ] as const)(
    'passes the key to the main process on %s outside the environment: %s',
    async (platform, key, before) => {
      const outcome = await start(TAKE, { platform, key });
      const said = JSON.stringify({ before, key, left: [] });
      expect(outcome).toMatchObject({ reason: `it exited with code 0: ${said}` });
    },
  );
});

describe('Ctrl-C', () => {
  const READY = "console.log('gatehouse: ready');";
  /** Runs until its launcher is gone, so that a failed test leaves no process behind. */
  const STAY =
    'const launcher = process.ppid; setInterval(() => process.ppid === launcher || process.exit(), 100);';
  const DEAF = "for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);";

  /** Starts a launcher without a terminal, so that it alone receives the signals. */
  async function launcher(source: string, platform: 'linux' | 'win32', quitMs = 20_000) {
    const script = join(import.meta.dirname, '../fixtures/start-desktop-process.ts');
    const child = spawn(process.execPath, [script, binary(source), platform, `${quitMs}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    const warnings: string[] = [];
    const printed = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const warned = createInterface({ input: child.stderr }).on('line', (line) =>
      warnings.push(line),
    );
    const ended = Promise.all([once(printed, 'close'), once(warned, 'close')]);
    return {
      lines,
      child,
      /** Resolves with its whole output once it exits. */
      async printed() {
        await ended;
        return lines;
      },
      async warned() {
        await ended;
        return warnings;
      },
    };
  }

  it('stops the desktop on systems with signals', async () => {
    const { child, lines, printed, warned } = await launcher(
      `process.on('SIGTERM', () => process.exit(7)); ${READY} ${STAY}`,
      'linux',
    );
    await expect.poll(() => lines).toEqual(['ready']);
    child.kill('SIGINT');
    expect(await printed()).toEqual(['ready', 'ended with 7']);
    expect(await warned()).toEqual([]);
  });

  it('sends a message on Windows, which has no signals', async () => {
    const { child, lines, printed } = await launcher(
      `${DEAF} process.on('message', (message) => process.exit(message === 'gatehouse: quit' ? 7 : 8)); ${READY} ${STAY}`,
      'win32',
    );
    await expect.poll(() => lines).toEqual(['ready']);
    child.kill('SIGINT');
    expect(await printed()).toEqual(['ready', 'ended with 7']);
  });

  it.each(['linux', 'win32'] as const)(
    'kills a process that keeps running on %s, and warns about lost data',
    async (platform) => {
      const { child, lines, printed, warned } = await launcher(
        `${DEAF} ${READY} ${STAY}`,
        platform,
        300,
      );
      await expect.poll(() => lines).toEqual(['ready']);
      child.kill('SIGINT');
      expect(await printed()).toEqual(['ready', 'ended with 1']);
      expect(await warned()).toEqual([
        'Gatehouse took too long to shut down. Some results may not be saved.',
      ]);
    },
  );

  it('kills the desktop at once when pressed again', async () => {
    const { child, lines, printed } = await launcher(
      `${DEAF} ${READY} ${STAY}`,
      'linux',
      10 * TEST_MS,
    );
    await expect.poll(() => lines).toEqual(['ready']);
    child.kill('SIGINT');
    const timer = setInterval(() => child.kill('SIGINT'), 1000);
    onTestFinished(() => clearInterval(timer));
    expect(await printed()).toEqual(['ready', 'ended with 1']);
  });

  it('opens no other host when pressed before the window appears', async () => {
    const started = join(getRoot(), 'started');
    const { child, printed } = await launcher(
      `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); ${STAY}`,
      'linux',
    );
    await expect.poll(() => existsSync(started)).toBe(true);
    child.kill('SIGINT');
    expect(await printed()).toEqual(['interrupted']);
  });
});
