/** Renames a damaged file out of the way; nothing is ever deleted. */
import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * `ledger.sqlite` becomes `ledger-damaged-<time>.sqlite`, and so do the files beside it
 * with one of `companions` after their name. Returns the new name, without its folder.
 */
export function quarantineFile(path: string, nowMs: number, companions: string[]): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const dot = path.lastIndexOf('.');
  const named = (suffix: string) =>
    `${path.slice(0, dot)}-damaged-${time}${suffix}${path.slice(dot)}`;
  let target = named('');
  for (let count = 2; existsSync(target); count += 1) target = named(`-${count}`);
  renameSync(path, target);
  for (const companion of companions) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  return basename(target);
}
