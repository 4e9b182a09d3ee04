/** Starts Electron and waits for its window, or explains in one line why there is none. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { withKey, withKeyOnStdin } from '../gateway-key.ts';
import { type EndSignal, onEndSignal, SHUTDOWN_TIMEOUT_MESSAGE } from './end-signals.ts';
import { type ExitExplanation, explainExit } from './explain-exit.ts';
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
  /** The gateway's key; not in `environment`. */
  key: string | null;
  platform: NodeJS.Platform;
  /** A window that is not ready by then is given up. */
  readyMs: number;
  /** What was asked to end and is still there after that is killed. */
  quitMs: number;
}

export const defaultLimits = { readyMs: 60_000, quitMs: 8_000 };

export type DesktopStart =
  | { state: 'ready'; ended: Promise<number> }
  | { state: 'already-open' }
  /** For a reason that holds for every host; its dialog may stay open until `ended`. */
  | { state: 'cannot-start'; reason: string; ended: Promise<number> }
  /** The user ended it before its window was there. */
  | { state: 'interrupted'; code: number }
  /** For a reason that holds for the desktop only; it has ended. */
  | ({ state: 'failed' } & ExitExplanation);

const KEPT_STDERR = 16_384;
const EXIT_CODES: Record<EndSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export function startDesktop(options: DesktopOptions): Promise<DesktopStart> {
  const child = spawnElectron(options);
  const { promise, resolve } = Promise.withResolvers<DesktopStart>();
  const ended = Promise.withResolvers<number>();
  let isDecided = false;
  /** Why it was told to end, or ends by itself. */
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
    giveUp(`its window was not ready within ${options.readyMs / 1000} seconds`);
    askToQuit(child, options.platform);
  }, options.readyMs);

  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === READY_LINE) decide({ state: 'ready', ended: ended.promise });
      else if (line === ALREADY_OPEN_LINE) decide({ state: 'already-open' });
      else if (line.startsWith(CANNOT_START)) {
        const reason = line.slice(CANNOT_START.length);
        decide({ state: 'cannot-start', reason, ended: ended.promise });
        // What explains more than one line.
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

  // Once: Electron dies of a signal's second coming.
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
  // `close` and not `exit`: its last output may still be in the pipe.
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
  // With it, Electron would be a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = options.environment;
  const args = [root];
  if (platform === 'win32') {
    // Electron's standard input is always at its end there; main takes the key out before it starts anything.
    return spawn(binary, args, {
      cwd: root,
      env: withKey(env, key),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
  }
  // No channel here: on Linux it would take a descriptor that Chromium counts on (electron#17044).
  const child = spawn(binary, args, {
    cwd: root,
    env: key === null ? env : withKeyOnStdin(env),
    stdio: [key === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // It may end before it has read.
  child.stdin?.on('error', () => undefined).end(key);
  return child;
}

/** Also after Ctrl-C in its own terminal, which Windows gives to no program with windows. */
function askToQuit(child: ChildProcess, platform: NodeJS.Platform): void {
  if (platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.send(QUIT_MESSAGE, () => undefined);
}
