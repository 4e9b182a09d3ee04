/** Finds Electron's binary without importing `electron`, which would download without a timeout. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ElectronPackage {
  folder: string;
  version: string;
}

export function readElectronPackage(root: string): ElectronPackage {
  const folder = join(root, 'node_modules', 'electron');
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return { folder, version: manifest.version };
}

/** Returns null if the binary is missing or is another version. */
export function findElectron(
  { folder, version }: ElectronPackage,
  environment: NodeJS.ProcessEnv,
): string | null {
  const name = readIfPresent(join(folder, 'path.txt'));
  const override = environment.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return findPath(join(override, name ?? defaultName()));
  if (name === null) return null;
  const fetched = readIfPresent(join(folder, 'dist', 'version'))?.replace(/^v/, '');
  return fetched === version ? findPath(join(folder, 'dist', name)) : null;
}

function defaultName(): string {
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

function findPath(path: string): string | null {
  return existsSync(path) ? path : null;
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
