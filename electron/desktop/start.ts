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
// The parent process may have closed the pipe.
process.stdout.on('error', () => undefined);

export interface BuiltFiles {
  preload: string;
  page: string;
}

/** Synchronously runs the steps that Electron requires before `ready`. */
export function startDesktop(files: BuiltFiles): void {
  registerPageScheme(protocol);
  if (checksItself) {
    startSelfCheck(files);
    return;
  }
  keepChromiumsFilesIn(join(home, 'desktop'));
  // Windows shows notifications of an installed app only with its ID.
  if (platform === 'win32') app.setAppUserModelId(APP_ID);

  // Windows doesn't send Ctrl-C to windowed programs, so the launcher sends a message.
  process.on('message', (message) => {
    if (message === QUIT_MESSAGE) app.quit();
  });

  if (app.requestSingleInstanceLock()) {
    app.on('quit', () => logFile?.end());
    // A top-level await would block `ready`, which waits for this module.
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

/** Uses a scratch folder and prints only the report. */
function startSelfCheck({ preload, page }: BuiltFiles): void {
  const folder = createScratchFolder();
  keepChromiumsFilesIn(join(folder, 'desktop'));
  // Electron would quit with code 0 when the window closes if there were no listener.
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

/** The single-instance lock applies to this folder, which `setPath` doesn't create. */
function keepChromiumsFilesIn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
  } catch (cause) {
    // The services report the problem to the user; Chromium keeps its default folder.
    log(`${folder} can’t be used: ${String(cause)}`);
  }
}

function pageSource(folder: string) {
  const devUrl = env.ELECTRON_RENDERER_URL;
  // A packaged app never loads the page from an address in the environment.
  if (devUrl !== undefined && !app.isPackaged) return { devUrl };
  return { folder };
}
