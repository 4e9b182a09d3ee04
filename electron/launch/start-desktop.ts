/** Starts Electron and waits for its window, or explains in one line why there is none. */
import { type ChildProcess, spawn } from 'node:child_process';
import { ALREADY_OPEN_LINE, READY_LINE } from './status-lines.ts';

export interface DesktopOptions {
  binary: string;
  root: string;
  environment: NodeJS.ProcessEnv;
  isRoot: boolean;
  readyMs: number;
}

export type DesktopStart =
  | { state: 'ready'; ended: Promise<number> }
  | { state: 'already-open' }
  /** `reason` is the end of a sentence. */
  | { state: 'failed'; reason: string };

const KEPT_STDERR = 16_384;

export function startDesktop(options: DesktopOptions): Promise<DesktopStart> {
  const child = spawnElectron(options);
  const { promise, resolve } = Promise.withResolvers<DesktopStart>();
  const ended = Promise.withResolvers<number>();
  let isReady = false;
  let isLate = false;
  let stdout = '';
  let stderr = '';

  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (isReady) {
      process.stdout.write(text);
      return;
    }
    stdout += text;
    const lines = stdout.split('\n').map((line) => line.trim());
    if (lines.includes(ALREADY_OPEN_LINE)) resolve({ state: 'already-open' });
    if (!lines.includes(READY_LINE)) return;
    isReady = true;
    clearTimeout(timer);
    resolve({ state: 'ready', ended: ended.promise });
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (isReady) process.stderr.write(text);
    else stderr = (stderr + text).slice(-KEPT_STDERR);
  });

  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, options.readyMs);
  // Ctrl-C reaches Electron by itself, as it is in the terminal's group; SIGTERM does not.
  const onTerminate = (): boolean => child.kill('SIGTERM');
  const onInterrupt = (): void => undefined;
  process.on('SIGTERM', onTerminate);
  process.on('SIGINT', onInterrupt);

  const finish = (outcome: DesktopStart, code: number): void => {
    clearTimeout(timer);
    process.off('SIGTERM', onTerminate);
    process.off('SIGINT', onInterrupt);
    resolve(outcome);
    ended.resolve(code);
  };
  child.once('error', ({ message }) => finish({ state: 'failed', reason: message }, 1));
  // `close` and not `exit`: its last output may still be in the pipe.
  child.once('close', (code, signal) => {
    const reason = isLate
      ? `no window opened within ${options.readyMs / 1000} seconds`
      : explainExit({ code, signal, stderr });
    finish({ state: 'failed', reason }, code ?? 1);
  });
  return promise;
}

function spawnElectron({ binary, root, environment, isRoot }: DesktopOptions): ChildProcess {
  // With it, Electron would be a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = environment;
  // Chromium refuses to run its sandbox as root.
  const args = isRoot ? ['--no-sandbox', root] : [root];
  return spawn(binary, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

const known: [RegExp, (match: RegExpExecArray) => string][] = [
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) => `the library ${library} is missing`,
  ],
  [/SUID sandbox helper|No usable sandbox/, () => "this system blocks Chromium's sandbox"],
  [
    /Missing X server|cannot open display|Unable to open X display|Failed to connect to Wayland/i,
    () => 'the display could not be opened',
  ],
  [/GLIBC(?:XX)?_[\d.]+' not found/, () => 'this system is too old for Electron'],
];

/** Why Electron ended before its window was there. */
export function explainExit({ code, signal, stderr }: Exit): string {
  for (const [pattern, explain] of known) {
    const match = pattern.exec(stderr);
    if (match) return explain(match);
  }
  const ended = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => line !== '');
  return last === undefined ? ended : `${ended}: ${last.slice(0, 200)}`;
}
