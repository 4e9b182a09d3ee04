/**
 * Builds, packages for this platform and checks the result (`npm run package`). Passes flags on to
 * electron-builder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { takeKey } from '../../electron/gateway-key.ts';
import { buildIfNeeded } from '../../electron/launch/build.ts';
import { checkPackage } from './check-package.ts';
import { keychainIdentities, signingFlags } from './mac-signing.ts';

takeKey(process.env);
const root = dirname(dirname(import.meta.dirname));
const OUTPUT_FLAG = '-c.directories.output=';
const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');

try {
  await buildIfNeeded(root, (line) => console.error(line));
  const { platform, env: environment } = process;
  const flags = process.argv.slice(2);
  flags.unshift(...signingFlags({ platform, environment, flags, identities: keychainIdentities }));
  const child = spawn(process.execPath, [builder, '--publish', 'never', ...flags], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
  if (code === 0) {
    const named = flags.findLast((flag) => flag.startsWith(OUTPUT_FLAG))?.slice(OUTPUT_FLAG.length);
    const { arch } = process;
    const output = resolve(root, named ?? '.dist');
    const isSound = await checkPackage({ output, platform, arch, environment, log: console.error });
    if (!isSound) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
