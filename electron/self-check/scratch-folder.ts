/** A folder for a self-check alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Throws where the system has no room for it. */
export function createScratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-self-check-'));
}

/** What another process still holds is left to the system. */
export function removeScratchFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Windows removes no file that is open.
  }
}
