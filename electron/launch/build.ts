/** Builds both hosts if the source files have changed since the last build. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { killOnExit } from './signals.ts';

const SOURCES = [
  'electron',
  'renderer',
  'shared',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
];

export async function buildIfNeeded(root: string, log: (line: string) => void): Promise<void> {
  const fingerprint = getFingerprint(root);
  const stamp = join(root, '.out', 'built-from');
  if (readIfPresent(stamp) === fingerprint) return;

  log('Building Gatehouse (first run and after code changes)…');
  const tool = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const child = spawn(process.execPath, [tool, 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
  });
  const lift = killOnExit(child);
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  lift();
  if (code !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`);
  writeFileSync(stamp, fingerprint);
}

/** Hashes the content, because a checkout changes all file times. */
function getFingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => listFiles(root, source)).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((name) => statSync(join(root, name)).isFile());
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
