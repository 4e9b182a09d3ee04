/** Runs Electron's install script with progress and a timeout, both of which it lacks. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { ElectronPackage } from './electron-binary.ts';
import type { DownloadReport } from './report-download.ts';
import { killOnExit } from './signals.ts';

const BYTES_PER_MB = 1_000_000;
/** Smaller downloads are checksum lists. */
const MIN_ARCHIVE_BYTES = BYTES_PER_MB;
const SYSTEM_CERTIFICATES = '--use-system-ca';

export interface FetchOptions {
  environment: NodeJS.ProcessEnv;
  log: (line: string) => void;
  /** The download is stopped after this long without receiving a byte. */
  stallMs: number;
  checkMs: number;
  reportMs: number;
}

export const defaultFetchTimeouts = { stallMs: 30_000, checkMs: 500, reportMs: 5_000 };

/** Returns null on success, or the reason for the failure as the end of a sentence. */
export async function fetchElectron(
  { folder, version }: ElectronPackage,
  { environment, log, stallMs, checkMs, reportMs }: FetchOptions,
): Promise<string | null> {
  log(`Downloading Electron ${version} (first run only)…`);
  // Use a separate temporary folder: its size shows whether the download is progressing.
  const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-electron-'));
  const report = pathToFileURL(join(import.meta.dirname, 'report-download.ts')).href;
  const child = spawn(
    process.execPath,
    [...listCertificateFlags(), `--import=${report}`, join(folder, 'install.js')],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...withProxy(environment),
        TMPDIR: temporary,
        TEMP: temporary,
        TMP: temporary,
        ELECTRON_GET_NO_PROGRESS: '1',
      },
    },
  );

  const removeTemporary = (): void => rmSync(temporary, { recursive: true, force: true });
  const lift = killOnExit(child, removeTemporary);

  let problem: string | null = null;
  let progress: { received: number; total: number | null } | null = null;
  child.on('message', (message: DownloadReport) => {
    if (message.type === 'problem') problem = message.message;
    else if (message.total === null || message.total >= MIN_ARCHIVE_BYTES) {
      if (message.received === 0) log(`Downloading Electron: ${formatSize(message.total)}`);
      if (message.received === message.total) log('Unpacking Electron…');
      progress = message;
    }
  });

  let bytes = 0;
  let changedAt = Date.now();
  let reportedAt = Date.now();
  let stalled = false;
  const watchdog = setInterval(() => {
    const now = Date.now();
    const size = getSize(temporary) + getSize(join(folder, 'dist'));
    if (size !== bytes) changedAt = now;
    bytes = size;
    if (now - changedAt > stallMs) {
      stalled = true;
      child.kill('SIGKILL');
    } else if (now - reportedAt >= reportMs && progress !== null) {
      reportedAt = now;
      if (progress.received !== progress.total) log(formatProgress(progress));
    }
  }, checkMs);

  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  const [code, stderr] = await Promise.all([exit, child.stderr ? text(child.stderr) : '']);
  clearInterval(watchdog);
  lift();
  removeTemporary();
  if (code === 0) return null;
  return stalled ? `no data for ${stallMs / 1000} seconds` : (problem ?? findFailureReason(stderr));
}

/** Trusts the system store, which may be the only place with a company proxy's certificates. */
function listCertificateFlags(): string[] {
  return process.allowedNodeEnvironmentFlags.has(SYSTEM_CERTIFICATES) ? [SYSTEM_CERTIFICATES] : [];
}

/** Adds npm's proxy settings, because npm used them to install the packages. */
function withProxy(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { npm_config_https_proxy: secure, npm_config_proxy: plain } = environment;
  const set = (name: string, value: string | undefined) =>
    value === undefined || environment[name] || environment[name.toLowerCase()]
      ? {}
      : { [name]: value };
  return {
    ...environment,
    ...set('HTTPS_PROXY', secure ?? plain),
    ...set('HTTP_PROXY', plain),
    ...set('NO_PROXY', environment.npm_config_noproxy),
    ELECTRON_GET_USE_PROXY: '1',
    NODE_USE_ENV_PROXY: '1',
  };
}

function formatSize(bytes: number | null): string {
  return bytes === null ? 'size unknown' : `${Math.round(bytes / BYTES_PER_MB)} MB`;
}

function formatProgress({ received, total }: { received: number; total: number | null }): string {
  const megabytes = Math.round(received / BYTES_PER_MB);
  if (total === null) return `Downloading Electron: ${megabytes} MB`;
  const percent = Math.floor((100 * received) / total);
  return `Downloading Electron: ${megabytes} of ${formatSize(total)} (${percent}%)`;
}

/** Returns the script's own error if the download itself didn't fail. */
export function findFailureReason(stderr: string): string {
  const messages = [...stderr.matchAll(/^\s*(?:\[cause\]: )?\w*Error: (.+)$/gm)];
  const first = stderr.split('\n').find((line) => line.trim() !== '');
  const message = messages.at(-1)?.[1] ?? first ?? 'the install script failed';
  return message.replace(/\s*\{$/, '').trim();
}

function getSize(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)).size)
      .reduce((total, size) => total + size, 0);
  } catch {
    // The folder doesn't exist yet, or a file disappeared between the two calls.
    return 0;
  }
}
