/** Desktop entry: what must happen before `ready`, then the application. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, protocol } from 'electron';
import { dataFolder } from './data-folder.ts';
import { runApplication } from './desktop/application.ts';
import { registerPageScheme } from './desktop/page-protocol.ts';
import { showStartFailure } from './desktop/start-failure.ts';
import { ALREADY_OPEN_LINE, READY_LINE } from './launch/status-lines.ts';
import { version } from './version.ts';

const { env, platform } = process;
const log = (line: string) => console.error(line);
const home = dataFolder({ environment: env, platform, userHome: homedir() });

// A malformed message on a port rejects inside the contract library, with no one to catch it.
process.on('unhandledRejection', (cause) => log(`unhandled: ${String(cause)}`));

registerPageScheme(protocol);
keepChromiumsFilesIn(join(home, 'desktop'));
// Without it Windows shows no notification of an installed application.
if (platform === 'win32') app.setAppUserModelId('dev.gatehouse.app');

if (app.requestSingleInstanceLock()) {
  // Never awaited at the top level: `ready` waits for this module.
  app
    .whenReady()
    .then(() =>
      runApplication({
        home,
        version,
        preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
        page: pageSource(),
        environment: env,
        platform,
        log,
        announceReady: () => console.log(READY_LINE),
      }),
    )
    .catch((cause: unknown) => showStartFailure(cause, log));
} else {
  console.log(ALREADY_OPEN_LINE);
  app.quit();
}

/** Beside the ledger; the single-instance lock is taken for this folder. `setPath` does not make it. */
function keepChromiumsFilesIn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
  } catch (cause) {
    // The services say it to the user; Chromium stays at its usual place.
    log(`${folder} cannot be used: ${String(cause)}`);
  }
}

function pageSource() {
  const devUrl = env.ELECTRON_RENDERER_URL;
  // An installed Gatehouse never takes its page from an address in the environment.
  if (devUrl !== undefined && !app.isPackaged) return { devUrl };
  return { folder: fileURLToPath(new URL('../renderer', import.meta.url)) };
}
