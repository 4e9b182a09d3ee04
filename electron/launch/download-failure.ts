/** Remembers a download that failed, so that a machine without a network does not wait for it at each start. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const failureSchema = z.object({
  /** Electron's. */
  version: z.string(),
  atMs: z.number(),
  /** The end of a sentence. */
  reason: z.string(),
});
type DownloadFailure = z.infer<typeof failureSchema>;

/** The failure of the last day; null if it is time to try. */
export function recentFailure(
  root: string,
  version: string,
  nowMs: number,
): DownloadFailure | null {
  const failure = read(root);
  if (failure?.version !== version) return null;
  const ageMs = nowMs - failure.atMs;
  // One from the future was written by a clock that was wrong.
  return ageMs >= 0 && ageMs < DAY_MS ? failure : null;
}

/** Where it cannot be kept, it is tried at each start. */
export function rememberFailure(root: string, failure: DownloadFailure): void {
  try {
    mkdirSync(dirname(pathIn(root)), { recursive: true });
    writeFileSync(pathIn(root), JSON.stringify(failure));
  } catch {
    // A folder of packages that this user may not write to.
  }
}

export function forgetFailure(root: string): void {
  rmSync(pathIn(root), { force: true });
}

/** A fresh `npm ci` forgets it. */
function pathIn(root: string): string {
  return join(root, 'node_modules', '.cache', 'gatehouse', 'electron-download.json');
}

function read(root: string): DownloadFailure | null {
  try {
    return failureSchema.parse(parseJson(readFileSync(pathIn(root), 'utf8')));
  } catch {
    return null;
  }
}
