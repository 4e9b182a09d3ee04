/** Starts Gatehouse in a real Electron, and connects to its page as a debugger does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { Program } from './prepare-program.ts';

export interface SessionOptions {
  program: Program;
  workFolder: string;
  /** Variables besides those that every session gets. */
  environment?: Record<string, string>;
}

export interface Session {
  /** Connects to the page, also after its process has crashed. */
  openPage(): Promise<Page>;
  /** Ends the page's process, as a crash does. `Page.crash` would crash the reloaded page too. */
  killPage(): Promise<void>;
  /** Waits until the main process has printed a line that starts with this text. */
  waitForLine(start: string): Promise<void>;
  /** Resolves to the exit code, or null after a signal. */
  ended: Promise<number | null>;
  output(): string;
  /** Ends it at once, after a failed journey. */
  kill(): void;
}

const WAIT_MS = 90_000;

export function startSession({ program, workFolder, environment = {} }: SessionOptions): Session {
  const child: ChildProcess = spawn(
    program.executable,
    [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // There is no GPU and no keyring under Xvfb.
      '--disable-gpu',
      '--password-store=basic',
      '--use-mock-keychain',
      '--remote-debugging-port=0',
      ...program.args,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...program.environment,
        GATEHOUSE_HOME: join(workFolder, 'home'),
        HOME: prepareUserHome(workFolder),
        PATH: prepareOpener(workFolder) + delimiter + process.env.PATH,
        ...environment,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let browser: Browser | null = null;

  async function waitFor(pattern: RegExp): Promise<string> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const [, found] = pattern.exec(output) ?? [];
      if (found !== undefined) return found;
      if (child.exitCode !== null || performance.now() > end) {
        throw new Error(`It didn’t print ${pattern}:\n${output}`);
      }
      await pause(100);
    }
  }

  return {
    async openPage() {
      await browser?.close().catch(() => undefined);
      const address = await waitFor(/^DevTools listening on (ws:\S+)$/m);
      // With its defaults, Playwright would take downloads away from Electron.
      browser = await chromium.connectOverCDP(address, { noDefaults: true });
      const page = browser.contexts().flatMap((context) => context.pages())[0];
      if (page === undefined) throw new Error('There is no page.');
      return page;
    },
    async killPage() {
      const debug = await browser?.newBrowserCDPSession();
      const { processInfo = [] } = (await debug?.send('SystemInfo.getProcessInfo')) ?? {};
      for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    },
    async waitForLine(start) {
      await waitFor(new RegExp(`^(${start})`, 'm'));
    },
    ended: new Promise((resolve) => void child.once('exit', (code) => resolve(code))),
    output: () => output,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Returns a home folder that has nothing but folders for downloads. */
function prepareUserHome(workFolder: string): string {
  const home = join(workFolder, 'user');
  mkdirSync(join(home, 'Downloads'), { recursive: true });
  mkdirSync(join(home, '.config'), { recursive: true });
  writeFileSync(join(home, '.config', 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  return home;
}

/** Writes an `xdg-open` that records links instead of opening them, and returns its folder. */
function prepareOpener(workFolder: string): string {
  const folder = join(workFolder, 'bin');
  mkdirSync(folder, { recursive: true });
  const script = join(folder, 'xdg-open');
  writeFileSync(script, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${getOpenedPath(workFolder)}'\n`);
  chmodSync(script, 0o755);
  return folder;
}

function getOpenedPath(workFolder: string): string {
  return join(workFolder, 'opened.txt');
}

/** Returns the links that the system was asked to open, on Linux only. */
export function listOpened(workFolder: string): string[] {
  const path = getOpenedPath(workFolder);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}
