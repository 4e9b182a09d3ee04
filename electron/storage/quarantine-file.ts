/** Moves an unusable file aside instead of deleting it. */
import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Renames the file and its `companions` to `ledger-<label>-<time>.sqlite`; returns the new name.
 */
export function quarantineFile(
  path: string,
  label: 'damaged' | 'old',
  nowMs: number,
  companions: string[],
): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const dot = path.lastIndexOf('.');
  const getPath = (suffix: string) =>
    `${path.slice(0, dot)}-${label}-${time}${suffix}${path.slice(dot)}`;
  let target = getPath('');
  for (let count = 2; existsSync(target); count += 1) target = getPath(`-${count}`);
  renameSync(path, target);
  for (const companion of companions) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  return basename(target);
}
