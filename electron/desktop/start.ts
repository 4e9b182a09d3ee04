/** What must happen before `ready`, then the application. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { dataFolder } from '../data-folder.ts';
import { takeKey, withKey } from '../gateway-key.ts';
import { SELF_CHECK_FLAG } from '../launch/options.ts';
import { ALREADY_OPEN_LINE, QUIT_MESSAGE } from '../launch/status-lines.ts';
import { openLogFile } from '../log-file.ts';
import { createScratchFolder, removeScratchFolder } from '../self-check/scratch-folder.ts';
import { installErrorHandlers } from '../uncaught-errors.ts';
import { version } from '../version.ts';
import { APP_ID } from './app-id.ts';
import { runApplication } from './application.ts';
import { showStartFailure } from './failure-dialogs.ts';
import { registerPageScheme } from './page-protocol.ts';

const { env, platform } = process;
const key = takeKey(env);
const print = (line: string) => console.log(line);
const home = dataFolder({ environment: env, platform, userHome: homedir() });
const checksItself = process.argv.includes(SELF_CHECK_FLAG);
/** The self-check leaves the data folder alone. */
const logFile = checksItself ? null : openLogFile({ home, key });
function log(line: string): void {
  console.error(line);
  logFile?.write(line);
}

const defects = installErrorHandlers(log);
// Who started Gatehouse may have stopped reading what it prints.
process.stdout.on('error', () => undefined);

export interface BuiltFiles {
  /** The preload script. */
  preload: string;
  /** The folder of the built page. */
  page: string;
}

/** Everything that must come before `ready` happens before it returns. */
export function startDesktop(files: BuiltFiles): void {
  registerPageScheme(protocol);
  if (checksItself) {
    startSelfCheck(files);
    return;
  }
  keepChromiumsFilesIn(join(home, 'desktop'));
  // Without it Windows shows no notification of an installed application.
  if (platform === 'win32') app.setAppUserModelId(APP_ID);

  // Windows gives a program with windows no Ctrl-C: the launcher asks.
  process.on('message', (message) => {
    if (message === QUIT_MESSAGE) app.quit();
  });

  if (app.requestSingleInstanceLock()) {
    app.on('quit', () => logFile?.end());
    // Never awaited at the top level: `ready` waits for this module.
    app
      .whenReady()
      .then(() =>
        runApplication({
          home,
          version,
          preload: files.preload,
          page: pageSource(files.page),
          environment: withKey(env, key),
          platform,
          isRoot: process.getuid?.() === 0,
          defects,
          log,
          print,
        }),
      )
      .then(() => logFile?.begin(getTitle(process.versions)))
      .catch((cause: unknown) => showStartFailure(cause, { print, log }));
  } else {
    print(ALREADY_OPEN_LINE);
    app.quit();
  }
}

/** Beside a Gatehouse that is open, whose data it does not touch. The report alone goes to standard output. */
function startSelfCheck({ preload, page }: BuiltFiles): void {
  const folder = createScratchFolder();
  keepChromiumsFilesIn(join(folder, 'desktop'));
  // Without a listener Electron quits, with 0, as soon as the window is closed.
  app.on('window-all-closed', () => undefined);
  app
    .whenReady()
    .then(async () => {
      const { checkDesktopHost } = await import('./self-check.ts');
      const { report, close } = await checkDesktopHost({
        ...{ folder, version, preload, platform, log },
        page: { folder: page },
      });
      print(JSON.stringify(report, null, 2));
      await close();
      return report.ok ? 0 : 1;
    })
    .catch((cause: unknown) => {
      log(String(cause));
      return 1;
    })
    .then((code) => {
      removeScratchFolder(folder);
      app.exit(code);
    });
}

function getTitle({ electron, chrome, node }: NodeJS.ProcessVersions): string {
  return `Gatehouse ${version}, Electron ${electron}, Chromium ${chrome}, Node.js ${node}, ${platform} ${process.arch},`;
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

function pageSource(folder: string) {
  const devUrl = env.ELECTRON_RENDERER_URL;
  // An installed Gatehouse never takes its page from an address in the environment.
  if (devUrl !== undefined && !app.isPackaged) return { devUrl };
  return { folder };
}
