/** Implements `npm run dev`: hot reload in Electron if installed, or in the browser. */
import { dirname } from 'node:path';
import { serve } from './browser/serve.ts';
import { startViteServer, vitePage } from './dev/vite-page.ts';
import { takeKey } from './gateway-key.ts';
import { buildIfNeeded } from './launch/build.ts';
import { findElectron, readElectronPackage } from './launch/electron-binary.ts';
import { defaultLimits, launchDesktop } from './launch/launch-desktop.ts';
import { chooseHost, type LaunchOptions, parseOptions, usage } from './launch/options.ts';
import { exitWithParent } from './launch/signals.ts';

const root = dirname(import.meta.dirname);
const key = takeKey(process.env);
const log = (line: string): void => console.error(line);

async function develop(options: LaunchOptions): Promise<void> {
  const choice = chooseHost(options.host, process.platform, process.env);
  const binary =
    choice.host === 'desktop' ? findElectron(readElectronPackage(root), process.env) : null;
  if (binary !== null) return developDesktop(binary);

  const reason = choice.host === 'desktop' ? 'The Electron binary isn’t installed' : choice.reason;
  if (reason !== null) log(`${reason}; opening in your browser instead.`);
  await serve(options, vitePage, key);
}

async function developDesktop(binary: string): Promise<void> {
  await buildIfNeeded(root, log);
  const vite = await startViteServer();
  const start = await launchDesktop({
    binary,
    root,
    environment: { ...process.env, ELECTRON_RENDERER_URL: vite.url },
    key,
    platform: process.platform,
    ...defaultLimits,
  });
  switch (start.state) {
    case 'ready':
      process.exit(await start.ended);
      break;
    case 'already-open':
      log('Gatehouse is already open. Close it first.');
      break;
    case 'cannot-start':
      log(`Gatehouse can’t start: ${start.reason}`);
      await start.ended;
      break;
    case 'interrupted':
      process.exit(start.code);
      break;
    case 'failed':
      log(`Electron couldn’t open a window (${start.reason}).`);
      if (start.remedy !== null) log(start.remedy);
  }
  process.exit(1);
}

exitWithParent();
const options = parseOptions(process.argv.slice(2));
if (typeof options === 'string') {
  log(`${options}\n\n${usage.replace('npm start', 'npm run dev')}`);
  process.exitCode = 2;
} else {
  await develop(options);
}
