/** Prepares Electron before `ready` and then runs the application. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { dataFolder } from '../data-folder.ts';
import { takeKey, withKey } from '../gateway-key.ts';
import { SELF_CHECK_FLAG } from '../launch/options.ts';
import { ALREADY_OPEN_LINE, QUIT_MESSAGE } from '../launch/status-lines.ts';
import { openLogFile } from '../log-file.ts';
import { createScratchFolder, removeScratchFolder } from '../self-check/scratch.ts';
import { installErrorHandlers } from '../uncaught-errors.ts';
import { APP_ID, version } from '../version.ts';
import { runApplication } from './application.ts';
import { registerPageScheme } from './page-protocol.ts';
import { showStartFailure } from './start-up.ts';

const { env, platform } = process;
const key = takeKey(env);
const print = (line: string) => console.log(line);
const home = dataFolder({ environment: env, platform, userHome: homedir() });
const checksItself = process.argv.includes(SELF_CHECK_FLAG);
/** The self-check doesn't touch the data folder. */
const logFile = checksItself ? null : openLogFile({ home, key });
function log(line: string): void {
  console.error(line);
  logFile?.write(line);
}

const defects = installErrorHandlers(log);
// Whoever started Gatehouse may have closed its end of the pipe.
process.stdout.on('error', () => undefined);

export interface BuiltFiles {
  preload: string;
  /** The folder of the built page. */
  page: string;
}

/** Does everything that must happen before `ready` synchronously. */
export function startDesktop(files: BuiltFiles): void {
  registerPageScheme(protocol);
  if (checksItself) {
    startSelfCheck(files);
    return;
  }
  keepChromiumsFilesIn(join(home, 'desktop'));
  // Windows shows notifications of an installed application only with its ID.
  if (platform === 'win32') app.setAppUserModelId(APP_ID);

  // Windows has no Ctrl-C for programs with windows, so the launcher sends a message.
  process.on('message', (message) => {
    if (message === QUIT_MESSAGE) app.quit();
  });

  if (app.requestSingleInstanceLock()) {
    app.on('quit', () => logFile?.end());
    // Not awaited at the top level, because `ready` waits for this module.
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

/** Runs on a scratch folder and prints only the report. */
function startSelfCheck({ preload, page }: BuiltFiles): void {
  const folder = createScratchFolder();
  keepChromiumsFilesIn(join(folder, 'desktop'));
  // Without a listener Electron would quit with code 0 when the window closes.
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

/** The single-instance lock applies to this folder. `setPath` doesn't create it. */
function keepChromiumsFilesIn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
  } catch (cause) {
    // The services report it to the user; Chromium keeps its default folder.
    log(`${folder} can’t be used: ${String(cause)}`);
  }
}

function pageSource(folder: string) {
  const devUrl = env.ELECTRON_RENDERER_URL;
  // An installed Gatehouse never loads its page from an address in the environment.
  if (devUrl !== undefined && !app.isPackaged) return { devUrl };
  return { folder };
}
