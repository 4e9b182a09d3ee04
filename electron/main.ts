/** Desktop entry: what must happen before `ready`, then the application. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, protocol } from 'electron';
import { dataFolder } from './data-folder.ts';
import { runApplication } from './desktop/application.ts';
import { registerPageScheme } from './desktop/page-protocol.ts';
import { ALREADY_OPEN_LINE, READY_LINE } from './launch/status-lines.ts';
import { version } from './version.ts';

const log = (line: string) => console.error(line);
const home = dataFolder({
  environment: process.env,
  platform: process.platform,
  userHome: homedir(),
});

// A malformed message on a port rejects inside the contract library, with no one to catch it.
process.on('unhandledRejection', (cause) => log(`unhandled: ${String(cause)}`));

registerPageScheme(protocol);
// Chromium's own files, beside the ledger; the single-instance lock is taken for this folder.
app.setPath('userData', join(home, 'desktop'));

if (app.requestSingleInstanceLock()) {
  // Never awaited at the top level: `ready` waits for this module.
  app
    .whenReady()
    .then(() =>
      runApplication({
        home,
        version,
        preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
        pageFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
        devUrl: process.env.ELECTRON_RENDERER_URL ?? null,
        environment: process.env,
        platform: process.platform,
        log,
        announceReady: () => console.log(READY_LINE),
      }),
    )
    .catch((cause: unknown) => {
      log(`Gatehouse could not start: ${cause instanceof Error ? cause.stack : String(cause)}`);
      app.exit(1);
    });
} else {
  console.log(ALREADY_OPEN_LINE);
  app.quit();
}
