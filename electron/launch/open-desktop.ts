/** Opens or checks the desktop app, downloading Electron if it is missing. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import { type ElectronPackage, findElectron, readElectronPackage } from './electron-binary.ts';
import { defaultFetchTimeouts, fetchElectron } from './fetch-electron.ts';
import { defaultLimits, type ExitExplanation, launchDesktop } from './launch-desktop.ts';
import { SELF_CHECK_FLAG } from './options.ts';

export type DesktopOutcome =
  /** The user closed the app, or no host can start. */
  | { state: 'over'; code: number }
  /** Another host may work; `reason` is the start of a sentence. */
  | ({ state: 'unavailable' } & ExitExplanation);

export interface OpenDesktopOptions {
  root: string;
  environment: NodeJS.ProcessEnv;
  key: string | null;
  /** True if the user asked for the desktop app, which retries a recently failed download. */
  insists: boolean;
  log: (line: string) => void;
  now: () => number;
}

const TRIED_DAILY =
  'Gatehouse retries the download once a day. To retry now, run npm start -- --desktop.';

export async function openDesktop(options: OpenDesktopOptions): Promise<DesktopOutcome> {
  const { root, environment, key, log } = options;
  const electron = readElectronPackage(root);
  if (findElectron(electron, environment) === null) {
    const problem = await fetchOnceADay(electron, options);
    if (problem !== null) {
      return unavailable(`Electron couldn’t be downloaded (${problem})`, TRIED_DAILY);
    }
  }
  const binary = findElectron(electron, environment);
  if (binary === null) return unavailable('Electron was downloaded but its binary is missing');

  const start = await launchDesktop({
    binary,
    root,
    environment,
    key,
    platform: process.platform,
    ...defaultLimits,
  });
  switch (start.state) {
    case 'ready':
      return { state: 'over', code: await start.ended };
    case 'already-open':
      log('Gatehouse is already open. Its window is now in front.');
      return { state: 'over', code: 0 };
    case 'cannot-start':
      log(`Gatehouse can’t start: ${start.reason}`);
      return { state: 'over', code: await start.ended };
    case 'interrupted':
      return { state: 'over', code: start.code };
    case 'failed':
      return unavailable(`Electron couldn’t open a window (${start.reason})`, start.remedy);
  }
}

/** If a download failed within a day, returns its reason instead of retrying. */
async function fetchOnceADay(
  electron: ElectronPackage,
  { root, environment, insists, log, now }: OpenDesktopOptions,
): Promise<string | null> {
  const { version } = electron;
  const known = insists ? null : getRecentFailure(root, version, now());
  if (known !== null) return known.reason;
  const reason = await fetchElectron(electron, { environment, log, ...defaultFetchTimeouts });
  if (reason === null) forgetFailure(root);
  else rememberFailure(root, { version, atMs: now(), reason });
  return reason;
}

function unavailable(reason: string, remedy: string | null = null): DesktopOutcome {
  return { state: 'unavailable', reason, remedy };
}

const DAY_MS = 24 * 60 * 60 * 1000;

const failureSchema = z.object({
  version: z.string(),
  atMs: z.number(),
  reason: z.string(),
});
type DownloadFailure = z.infer<typeof failureSchema>;

/** Returns a failure from the last day, or null if a retry is due. */
export function getRecentFailure(
  root: string,
  version: string,
  nowMs: number,
): DownloadFailure | null {
  const failure = read(root);
  if (failure?.version !== version) return null;
  const ageMs = nowMs - failure.atMs;
  // Ignore a time in the future, which means that the clock was wrong.
  return ageMs >= 0 && ageMs < DAY_MS ? failure : null;
}

/** If the failure can't be saved, every start retries the download. */
export function rememberFailure(root: string, failure: DownloadFailure): void {
  try {
    mkdirSync(dirname(getReportPath(root)), { recursive: true });
    writeFileSync(getReportPath(root), JSON.stringify(failure));
  } catch {
    // The `node_modules` folder may be read-only.
  }
}

export function forgetFailure(root: string): void {
  rmSync(getReportPath(root), { force: true });
}

/**
 * Stored in `node_modules`, so that `npm ci` deletes it and the next start retries the download.
 */
function getReportPath(root: string): string {
  return join(root, 'node_modules', '.cache', 'gatehouse', 'electron-download.json');
}

function read(root: string): DownloadFailure | null {
  try {
    return failureSchema.parse(parseJson(readFileSync(getReportPath(root), 'utf8')));
  } catch {
    return null;
  }
}

/** Leaves the self-check, whose own limit is 30 s in CI, time to start and to report. */
const LIMIT_MS = 60_000;

export interface DesktopCheckOptions {
  root: string;
  environment: NodeJS.ProcessEnv;
  log: (line: string) => void;
  limitMs?: number;
}

/** Checks an installed Electron; never downloads it. */
export async function checkDesktop(options: DesktopCheckOptions): Promise<DesktopOutcome> {
  const { root, environment, log, limitMs = LIMIT_MS } = options;
  const binary = findElectron(readElectronPackage(root), environment);
  if (binary === null) {
    return { state: 'unavailable', reason: 'The Electron binary isn’t installed', remedy: null };
  }
  // With this variable, Electron would run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = environment;
  // Chromium can't sandbox a process that runs as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(binary, [...asRoot, root, SELF_CHECK_FLAG], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const limit = setTimeout(() => {
    log(`The self-check didn’t finish within ${limitMs / 1000} seconds.`);
    child.kill('SIGKILL');
  }, limitMs);
  try {
    const [code]: (number | null)[] = await once(child, 'close');
    return { state: 'over', code: code ?? 1 };
  } catch (cause) {
    log(`Couldn’t start Electron: ${cause instanceof Error ? cause.message : String(cause)}`);
    return { state: 'over', code: 1 };
  } finally {
    clearTimeout(limit);
  }
}
