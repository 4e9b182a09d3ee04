/** Reads where the user's login shell finds programs, which Finder and launchers don't know. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface LoginEnvironmentOptions {
  /** The app's own variables; the shell gets them too. */
  environment: NodeJS.ProcessEnv;
  limitMs?: number;
}

/** Version managers need these besides PATH. */
const KEPT = /^(?:PATH|NVM_DIR|VOLTA_HOME|PNPM_HOME|BUN_INSTALL|PYENV_ROOT|ASDF_DIR|FNM_DIR)=/;
const MARK = '_GATEHOUSE_ENVIRONMENT_';
const LIMIT_MS = 5_000;
const MAX_OUTPUT_LENGTH = 1_000_000;

/**
 * Returns a function that starts the shell at its first call and remembers the result. Without an
 * answer in time, it resolves to PATH with the folders that are usual.
 */
export function createLoginEnvironment(
  options: LoginEnvironmentOptions,
): () => Promise<Record<string, string>> {
  let read: Promise<Record<string, string>> | null = null;
  return () => {
    read ??= askShell(options).then(
      (found) => found ?? getUsualEnvironment(options.environment),
      () => getUsualEnvironment(options.environment),
    );
    return read;
  };
}

function getUsualEnvironment({ PATH, HOME = '' }: NodeJS.ProcessEnv): Record<string, string> {
  const usual = ['/opt/homebrew/bin', '/usr/local/bin', join(HOME, '.local', 'bin')];
  const folders = new Set([...(PATH ?? '').split(':').filter(Boolean), ...usual]);
  return { PATH: [...folders].join(':') };
}

/** Resolves to null if the shell doesn't print its variables; its files may print other text. */
async function askShell({
  environment,
  limitMs = LIMIT_MS,
}: LoginEnvironmentOptions): Promise<Record<string, string> | null> {
  const shell = environment.SHELL ?? userInfo().shell ?? '/bin/sh';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(shell, ['-ilc', `echo ${MARK}; /usr/bin/env; echo ${MARK}`], {
    env: { ...environment, TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // An interactive shell would otherwise take over the terminal, and its group ends with it.
    detached: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    // A program that the shell has started may keep its output open.
    if (output.split(MARK).length > 2 || output.length > MAX_OUTPUT_LENGTH) resolve(output);
  });
  child.once('error', reject);
  child.once('close', () => resolve(output));
  const limit = setTimeout(() => resolve(output), limitMs);
  try {
    const [, lines] = (await promise).split(MARK);
    if (lines === undefined) return null;
    const kept = lines.split('\n').filter((line) => KEPT.test(line));
    const found = Object.fromEntries(kept.map(splitVariable));
    return found.PATH === undefined ? null : found;
  } finally {
    clearTimeout(limit);
    killGroup(child);
  }
}

function splitVariable(line: string): [name: string, value: string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

function killGroup(child: ChildProcessByStdio<null, Readable, null>): void {
  child.stdout.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has already exited.
  }
}
