/** Runs Electron's own install script, with progress and a watchdog: it has no time limit itself. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endWithUs, withoutKey } from './child-process.ts';
import type { ElectronPackage } from './electron-binary.ts';

const BYTES_PER_MB = 1_000_000;

export interface FetchOptions {
  log: (line: string) => void;
  /** Without a new byte for so long, the download is given up. */
  stallMs: number;
  checkMs: number;
  reportMs: number;
}

export const usualPatience = { stallMs: 30_000, checkMs: 500, reportMs: 5_000 };

/** Null when the binary is there; else why not, as the end of a sentence. */
export async function fetchElectron(
  { folder, version }: ElectronPackage,
  { log, stallMs, checkMs, reportMs }: FetchOptions,
): Promise<string | null> {
  log(`Downloading Electron ${version} (once, about 120 MB)…`);
  // A temporary folder of our own shows how far the download is.
  const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-electron-'));
  const child = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...withoutKey(process.env),
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      ELECTRON_GET_NO_PROGRESS: '1',
    },
  });

  const removeTemporary = (): void => rmSync(temporary, { recursive: true, force: true });
  const lift = endWithUs(child, removeTemporary);

  let bytes = 0;
  let changedAt = Date.now();
  let reportedAt = Date.now();
  let stalled = false;
  const watchdog = setInterval(() => {
    const now = Date.now();
    const size = sizeOf(temporary) + sizeOf(join(folder, 'dist'));
    if (size !== bytes) changedAt = now;
    bytes = size;
    if (now - changedAt > stallMs) {
      stalled = true;
      child.kill('SIGKILL');
    } else if (now - reportedAt >= reportMs) {
      reportedAt = now;
      log(`Downloading Electron: ${Math.round(bytes / BYTES_PER_MB)} MB`);
    }
  }, checkMs);

  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  const [code, stderr] = await Promise.all([exit, text(child.stderr)]);
  clearInterval(watchdog);
  lift();
  removeTemporary();
  if (code === 0) return null;
  return stalled ? `no data for ${stallMs / 1000} seconds` : whyItFailed(stderr);
}

/** The deepest cause explains most: "fetch failed" hides the host that was not found. */
export function whyItFailed(stderr: string): string {
  const messages = [...stderr.matchAll(/^\s*(?:\[cause\]: )?\w*Error: (.+)$/gm)];
  const first = stderr.split('\n').find((line) => line.trim() !== '');
  const message = messages.at(-1)?.[1] ?? first ?? 'its install script failed';
  return message.replace(/\s*\{$/, '').trim();
}

function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)).size)
      .reduce((total, size) => total + size, 0);
  } catch {
    // Not there yet, or a file went away between the two calls.
    return 0;
  }
}
