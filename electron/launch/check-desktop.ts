/** The desktop's self-check, whose report goes to this process's standard output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { electronPackage, findElectron } from './electron-binary.ts';
import type { DesktopOutcome } from './open-desktop.ts';
import { SELF_CHECK_FLAG } from './options.ts';

/** It ends by itself before that. */
const LIMIT_MS = 30_000;

export interface DesktopCheckOptions {
  root: string;
  environment: NodeJS.ProcessEnv;
  log: (line: string) => void;
  limitMs?: number;
}

/** Nothing is downloaded for it. */
export async function checkDesktop(options: DesktopCheckOptions): Promise<DesktopOutcome> {
  const { root, environment, log, limitMs = LIMIT_MS } = options;
  const binary = findElectron(electronPackage(root), environment);
  if (binary === null) {
    return { state: 'unavailable', reason: 'The Electron binary is not installed', remedy: null };
  }
  // With it, Electron would be a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = environment;
  // Chromium refuses to run its sandbox as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(binary, [...asRoot, root, SELF_CHECK_FLAG], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const limit = setTimeout(() => {
    log(`The self-check did not finish within ${limitMs / 1000} seconds.`);
    child.kill('SIGKILL');
  }, limitMs);
  try {
    const [code]: (number | null)[] = await once(child, 'close');
    return { state: 'over', code: code ?? 1 };
  } catch (cause) {
    log(`Electron could not be started: ${cause instanceof Error ? cause.message : String(cause)}`);
    return { state: 'over', code: 1 };
  } finally {
    clearTimeout(limit);
  }
}
