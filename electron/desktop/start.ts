/** Configures Electron before it is ready, then runs the app. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { installErrorHandlers } from '../base/uncaught-errors.ts';
import { getDataFolder } from '../data-folder.ts';
import { takeKey, withKey } from '../gateway-key.ts';
import { SELF_CHECK_FLAG } from '../launch/options.ts';
import { ALREADY_OPEN_LINE, QUIT_MESSAGE } from '../launch/status-lines.ts';
import { openLogFile } from '../log-file.ts';
import { createScratchFolder, removeScratchFolder } from '../self-check/scratch.ts';
import { APP_ID, version } from '../version.ts';
import { runApplication } from './application.ts';
import { createDelayMonitor } from './delay-log.ts';
import { registerPageScheme } from './page-protocol.ts';
import { showStartFailure } from './start-up.ts';

const { env, platform } = process;
const key = takeKey(env);
const print = (line: string) => console.log(line);
const home = getDataFolder({ environment: env, platform, userHome: homedir() });
const checksItself = process.argv.includes(SELF_CHECK_FLAG);
/** The self-check must not touch the data folder. */
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

/** Performs the steps that Electron requires to run synchronously before `ready`. */
export function startDesktop(files: BuiltFiles): void {
  registerPageScheme(protocol);
  if (checksItself) {
    startSelfCheck(files);
    return;
  }
  keepChromiumsFilesIn(join(home, 'desktop'));
  // Windows shows notifications of an installed app only if this ID is set.
  if (platform === 'win32') app.setAppUserModelId(APP_ID);

  // The launcher sends a message, because Windows doesn't send Ctrl-C to GUI programs.
  process.on('message', (message) => {
    if (message === QUIT_MESSAGE) app.quit();
  });

  if (app.requestSingleInstanceLock()) {
    const endLog = () => logFile?.end();
    app.on('quit', endLog);
    // Don't use top-level await, because `ready` waits for this module to load.
    app
      .whenReady()
      .then(() =>
        runApplication({
          home,
          version,
          preload: files.preload,
          page: getPageSource(files.page),
          environment: withKey(env, key),
          platform,
          isRoot: process.getuid?.() === 0,
          defects,
          log,
          print,
          delays: createDelayMonitor(),
          onSessionEnd: endLog,
        }),
      )
      .then(() => logFile?.begin(getTitle(process.versions)))
      .catch((cause: unknown) => showStartFailure(cause, { print, log }));
  } else {
    print(ALREADY_OPEN_LINE);
    app.quit();
  }
}

/** Uses a scratch folder and prints only the report to standard output. */
function startSelfCheck({ preload, page }: BuiltFiles): void {
  const folder = createScratchFolder();
  keepChromiumsFilesIn(join(folder, 'desktop'));
  // Without a listener, Electron would exit with code 0 when the window closes.
  app.on('window-all-closed', () => undefined);
  app
    .whenReady()
    .then(async () => {
      const { checkDesktopHost } = await import('./self-check.ts');
      const { report, close } = await checkDesktopHost({
        folder,
        version,
        preload,
        platform,
        log,
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

/** The single-instance lock is in this folder, which `setPath` doesn't create. */
function keepChromiumsFilesIn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
  } catch (cause) {
    // If this fails, Chromium keeps its default folder and the services report the problem.
    log(`${folder} can’t be used: ${String(cause)}`);
  }
}

function getPageSource(folder: string) {
  const devUrl = env.ELECTRON_RENDERER_URL;
  // A packaged app must not load the page from a URL in the environment.
  if (devUrl !== undefined && !app.isPackaged) return { devUrl };
  return { folder };
}
