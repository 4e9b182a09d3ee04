import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PEERS = join(import.meta.dirname, '../peers');
/** A copy of the lockfile of the last installation. */
const STAMP = join(PEERS, 'node_modules/.installed-from');

/** Installs the peers, a separate package that only the benchmarks need. */
// Playwright requires a default export for a global setup.
// biome-ignore lint/style/noDefaultExport: see above
export default function installPeers(): void {
  const lockfile = readFileSync(join(PEERS, 'package-lock.json'), 'utf8');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockfile) return;
  console.log('Installing the peers (once, and after changes)…');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  writeFileSync(STAMP, lockfile);
}
