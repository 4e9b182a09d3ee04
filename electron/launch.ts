/** `npm start`: builds if needed and opens the desktop, or the browser host where that cannot be. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded } from './launch/build.ts';
import { endWithParent } from './launch/child-process.ts';
import { electronPackage, findElectron } from './launch/electron-binary.ts';
import { fetchElectron, usualPatience } from './launch/fetch-electron.ts';
import { chooseHost, parseOptions, usage } from './launch/options.ts';
import { startDesktop } from './launch/start-desktop.ts';

const READY_MS = 60_000;
const root = dirname(import.meta.dirname);

/** Standard output is for addresses only. */
const log = (line: string): void => console.error(line);

async function launch(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    log(`${options}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  await buildIfNeeded(root, log);

  const choice = chooseHost(options.host, process.platform, process.env);
  const reason = choice.host === 'desktop' ? await openDesktop() : choice.reason;
  if (choice.host === 'desktop' && reason === null) return;
  if (reason !== null) log(`${reason}, so Gatehouse is running in the browser.`);
  // In this process, so that signals and the terminal are its own. It reads the same flags.
  await import(pathToFileURL(join(root, '.out', 'main', 'browser.js')).href);
}

/** Null once the desktop has been used and closed; else why it could not be opened. */
async function openDesktop(): Promise<string | null> {
  const electron = electronPackage(root);
  if (findElectron(electron, process.env) === null) {
    const problem = await fetchElectron(electron, { log, ...usualPatience });
    if (problem !== null) return `Electron could not be downloaded (${problem})`;
  }
  const binary = findElectron(electron, process.env);
  if (binary === null) return 'Electron was downloaded but could not be found';

  const start = await startDesktop({
    binary,
    root,
    environment: process.env,
    isRoot: process.getuid?.() === 0,
    readyMs: READY_MS,
  });
  switch (start.state) {
    case 'ready':
      process.exitCode = await start.ended;
      return null;
    case 'already-open':
      log('Gatehouse is already open. Its window is now in front.');
      return null;
    case 'failed':
      return `Electron could not open a window (${start.reason})`;
  }
}

endWithParent();
try {
  await launch();
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
