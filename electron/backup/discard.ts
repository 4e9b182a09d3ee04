/** Deletes what a backup or a restore leaves behind, so that a crash in between is harmless. */
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { opendir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'discarded-';

/** Renames the file or folder at once, and then deletes it in the background. */
export function discardPath(home: string, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  const discarded = join(home, `${PREFIX}${randomBytes(16).toString('base64url')}`);
  renameSync(path, discarded);
  void removeGradually(discarded);
}

/** Deletes in the background what earlier sessions had no time to delete. */
export function resumeDiscarding(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith(PREFIX)) void removeGradually(join(home, name));
  }
}

/**
 * Deletes one file at a time, because `rm` starts on all files of a folder at once and blocks. Never
 * rejects: the next start deletes what is left.
 */
async function removeGradually(path: string): Promise<void> {
  try {
    for await (const entry of await opendir(path)) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) await removeGradually(inner);
      else await rm(inner, { force: true });
    }
    await rmdir(path);
  } catch {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
