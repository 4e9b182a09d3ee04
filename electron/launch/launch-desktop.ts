/** Starts Electron and waits for its window; returns the reason if no window opens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { withKey, withKeyOnStdin } from '../gateway-key.ts';
import { type EndSignal, onEndSignal, SHUTDOWN_TIMEOUT_MESSAGE } from './signals.ts';
import {
  ALREADY_OPEN_LINE,
  CANNOT_START,
  CLOSED_LINE,
  NO_WINDOW_PREFIX,
  QUIT_MESSAGE,
  READY_LINE,
} from './status-lines.ts';

export interface DesktopOptions {
  binary: string;
  root: string;
  environment: NodeJS.ProcessEnv;
  key: string | null;
  platform: NodeJS.Platform;
  readyMs: number;
  /** The launcher kills a process that takes longer than this to quit. */
  quitMs: number;
}

export const defaultLimits = { readyMs: 60_000, quitMs: 8_000 };

export type DesktopStart =
  | { state: 'ready'; ended: Promise<number> }
  | { state: 'already-open' }
  /** The reason applies to every host; a dialog may stay open until `ended` resolves. */
  | { state: 'cannot-start'; reason: string; ended: Promise<number> }
  /** The process was interrupted before the window was ready. */
  | { state: 'interrupted'; code: number }
  /** The reason applies only to the desktop app. */
  | ({ state: 'failed' } & ExitExplanation);

const KEPT_STDERR = 16_384;
const EXIT_CODES: Record<EndSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export function launchDesktop(options: DesktopOptions): Promise<DesktopStart> {
  const child = spawnElectron(options);
  const { promise, resolve } = Promise.withResolvers<DesktopStart>();
  const ended = Promise.withResolvers<number>();
  let isDecided = false;
  let givenUp: string | null = null;
  let isClosed = false;
  let interrupted: EndSignal | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  let stderr = '';

  function decide(start: DesktopStart): void {
    isDecided = true;
    clearTimeout(readyTimer);
    resolve(start);
  }

  function endSoon(): void {
    killTimer ??= setTimeout(() => {
      if (child.kill('SIGKILL') && interrupted !== null) console.error(SHUTDOWN_TIMEOUT_MESSAGE);
    }, options.quitMs);
  }

  function giveUp(reason: string): void {
    givenUp = reason;
    clearTimeout(readyTimer);
    endSoon();
  }

  const readyTimer = setTimeout(() => {
    giveUp(`the window wasn’t ready after ${options.readyMs / 1000} seconds`);
    askToQuit(child, options.platform);
  }, options.readyMs);

  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === READY_LINE) decide({ state: 'ready', ended: ended.promise });
      else if (line === ALREADY_OPEN_LINE) decide({ state: 'already-open' });
      else if (line.startsWith(CANNOT_START)) {
        const reason = line.slice(CANNOT_START.length);
        decide({ state: 'cannot-start', reason, ended: ended.promise });
        // Earlier output may explain the failure.
        process.stderr.write(stderr);
      } else if (line === CLOSED_LINE) isClosed = true;
      else if (line.startsWith(NO_WINDOW_PREFIX)) giveUp(line.slice(NO_WINDOW_PREFIX.length));
      else if (isDecided) process.stdout.write(`${line}\n`);
    });
  }
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (isDecided) process.stderr.write(text);
    else stderr = (stderr + text).slice(-KEPT_STDERR);
  });

  // Forward only one signal, because a second one would kill Electron.
  const stopListening = onEndSignal(
    (signal) => {
      interrupted = signal;
      askToQuit(child, options.platform);
      endSoon();
    },
    () => child.kill('SIGKILL'),
  );

  const finish = (start: DesktopStart, code: number): void => {
    clearTimeout(killTimer);
    stopListening();
    decide(start);
    ended.resolve(code);
  };
  child.once('error', ({ message }) =>
    finish({ state: 'failed', reason: message, remedy: null }, 1),
  );
  // Wait for `close`, because `exit` may precede the last output.
  child.once('close', (code, signal) => {
    if (interrupted !== null) {
      finish({ state: 'interrupted', code: EXIT_CODES[interrupted] }, code ?? 1);
    } else if (givenUp !== null) {
      finish({ state: 'failed', reason: givenUp, remedy: null }, code ?? 1);
    } else if (isClosed) {
      finish({ state: 'interrupted', code: code ?? 1 }, code ?? 1);
    } else {
      const { binary } = options;
      finish({ state: 'failed', ...explainExit({ code, signal, stderr, binary }) }, code ?? 1);
    }
  });
  return promise;
}

function spawnElectron(options: DesktopOptions): ChildProcess {
  const { binary, root, key, platform } = options;
  // With this variable, Electron would run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = options.environment;
  const args = [root];
  if (platform === 'win32') {
    // On Windows, Electron has no stdin, so the key is in its environment until the main process
    // deletes it.
    return spawn(binary, args, {
      cwd: root,
      env: withKey(env, key),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
  }
  // On Linux, an IPC channel would use a descriptor that Chromium needs (electron#17044).
  const child = spawn(binary, args, {
    cwd: root,
    env: key === null ? env : withKeyOnStdin(env),
    stdio: [key === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // Electron may exit before it reads the key.
  child.stdin?.on('error', () => undefined).end(key);
  return child;
}

/** Windows doesn't send Ctrl-C to GUI programs. */
function askToQuit(child: ChildProcess, platform: NodeJS.Platform): void {
  if (platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.send(QUIT_MESSAGE, () => undefined);
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  binary: string;
}

export interface ExitExplanation {
  reason: string;
  remedy: string | null;
}

type Explain = (match: RegExpExecArray, binary: string) => ExitExplanation;

/**
 * Chromium prints one of these messages (electron#42510, electron#41066); one contains the file
 * path.
 */
const known: [RegExp, Explain][] = [
  [
    /Running as root without --no-sandbox/,
    () => ({
      reason: 'Chromium’s sandbox can’t run as root',
      remedy: 'To use the desktop app, run Gatehouse as a non-root user.',
    }),
  ],
  [/make sure that (.+?) is owned by root/, ([, file = '']) => explainSandbox(file)],
  [
    /No usable sandbox|SUID sandbox helper|FATAL:\S*credentials\.cc/,
    (_match, binary) => explainSandbox(join(dirname(binary), 'chrome-sandbox')),
  ],
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) => explainPlainly(`${library} isn’t installed`),
  ],
  [
    /Missing X server|cannot open display|Unable to open X display|Failed to connect to Wayland/i,
    () => explainPlainly('the display couldn’t be opened'),
  ],
  [/GLIBC(?:XX)?_[\d.]+' not found/, () => explainPlainly('this system is too old for Electron')],
];

export function explainExit({ code, signal, stderr, binary }: Exit): ExitExplanation {
  for (const [pattern, explain] of known) {
    const match = pattern.exec(stderr);
    if (match) return explain(match, binary);
  }
  const ended = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => line !== '');
  return explainPlainly(last === undefined ? ended : `${ended}: ${last.slice(0, 200)}`);
}

function explainPlainly(reason: string): ExitExplanation {
  return { reason, remedy: null };
}

/** Only the user may choose to disable the sandbox. */
function explainSandbox(file: string): ExitExplanation {
  const quoted = `'${file.replaceAll("'", "'\\''")}'`;
  return {
    reason: "this system blocks Chromium's sandbox",
    remedy:
      `To use the desktop app, run sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted}` +
      ' then restart Gatehouse. Or build and install the package with npm run package.',
  };
}
