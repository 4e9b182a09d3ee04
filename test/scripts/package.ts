/** `npm run package`: builds, then packages for this platform; flags go on to electron-builder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { buildIfNeeded } from '../../electron/launch/build.ts';
import { withoutKey } from '../../electron/launch/child-process.ts';

const root = dirname(dirname(import.meta.dirname));
const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');

try {
  await buildIfNeeded(root, (line) => console.error(line));
  const child = spawn(process.execPath, [builder, '--publish', 'never', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: withoutKey(process.env),
  });
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
