/** The desktop application from `ready` on: services, page, ports, window, and the way out. */
import { join } from 'node:path';
import {
  app,
  ipcMain,
  type NativeTheme,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
} from 'electron';
import type { Notice } from '../../shared/contract/system.ts';
import { CLOSED_LINE, NO_WINDOW_PREFIX, READY_LINE, statusLine } from '../launch/status-lines.ts';
import { logPath } from '../log-file.ts';
import { createMediaRoutes } from '../media/routes/media-routes.ts';
import { createRouter } from '../router.ts';
import { createServices, type Services } from '../services.ts';
import { systemTimer, type Timer } from '../storage/timer.ts';
import type { UncaughtErrors } from '../uncaught-errors.ts';
import { showAbout } from './about.ts';
import { type Activity, createActivity } from './activity.ts';
import { offerReload, showStartFailure, windowFailedError } from './failure-dialogs.ts';
import { createEndedNotice } from './finished-runs-notice.ts';
import { createKeyCipher } from './key-cipher.ts';
import { createMainWindow, type MainWindow } from './main-window.ts';
import { answerMedia } from './media-protocol.ts';
import { installMenu } from './menu.ts';
import { createRunNotifier } from './notifications.ts';
import { type PageSource, servePage } from './page-protocol.ts';
import { createPageRescue } from './page-watchdog.ts';
import { guardPermissions } from './permissions.ts';
import { reportProblem } from './problem-report.ts';
import { servePorts } from './rpc-ports.ts';
import { sandboxNotice } from './sandbox-notice.ts';
import { runSelfCheckInChildProcess } from './self-check-process.ts';
import { prepareShutdown, type Shutdown } from './shutdown.ts';
import { watchStartUp } from './start-up.ts';
import { createUpdater, type UpdaterLibrary } from './updater.ts';
import { openWindow } from './window.ts';
import { iconFile } from './window-icon.ts';
import { createWindowMemory } from './window-state.ts';

export interface ApplicationOptions {
  home: string;
  version: string;
  preload: string;
  page: PageSource;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  isRoot: boolean;
  defects: UncaughtErrors;
  log: (line: string) => void;
  /** Standard output, where whoever started Gatehouse hears whether it did. */
  print: (line: string) => void;
  timer?: Timer;
  /** electron-updater, unless given. */
  loadUpdater?: () => Promise<UpdaterLibrary>;
  /** The report of another process of this program, unless given. */
  checkItself?: () => Promise<string>;
}

/** Throws a `UserFacingError` if the data folder cannot be used. */
export async function runApplication(options: ApplicationOptions): Promise<void> {
  const { platform } = options;
  const checkItself =
    options.checkItself ??
    (() => runSelfCheckInChildProcess({ execPath: process.execPath, args: process.argv.slice(1) }));
  let main: MainWindow | null = null;
  let shutdown: Shutdown | null = null;
  let activity: Activity | null = null;

  const timer = options.timer ?? systemTimer;
  /** Runs ended while there was no window, and the system did not say so. */
  let endedUnsaid = false;
  let say: (notice: Notice | null) => void = () => undefined;
  const endedNotice = createEndedNotice((notice) => say(notice));
  const notifier = createRunNotifier({
    platform,
    packaged: app.isPackaged,
    endedComparison: (id) => services.comparisons.endedTitle(id),
    inFront: () => main?.isFocused() ?? false,
    onClick: () => main?.show(),
    onUnshown(title) {
      endedNotice.add(title);
      endedUnsaid ||= main?.isOpen() === false;
    },
    onSettled: endWhenLeftAlone,
    timer,
    log: options.log,
  });
  const unsandboxed = sandboxNotice(app, options.isRoot);
  if (unsandboxed !== null) options.log(unsandboxed.message);
  const services = await createServices({
    host: 'desktop',
    notices: unsandboxed === null ? [] : [unsandboxed],
    home: options.home,
    version: options.version,
    environment: options.environment,
    cipher: createKeyCipher(safeStorage, platform),
    // As Chromium resolves it: a PAC text such as `PROXY proxy.example:3128; DIRECT`.
    systemProxy: (url) => session.defaultSession.resolveProxy(url),
    openExternal: (url) => shell.openExternal(url),
    updater: createUpdater({
      isPackaged: app.isPackaged,
      platform,
      environment: options.environment,
      resourcesPath: process.resourcesPath,
      relaunch: (execPath) => app.relaunch({ execPath, args: [] }),
      log: options.log,
      ...(options.loadUpdater && { load: options.loadUpdater }),
    }),
    onRun(run) {
      if (shutdown?.isLeaving()) return;
      notifier.notify(run);
      endWhenLeftAlone();
      activity?.update();
    },
    log: options.log,
  });
  const { log } = services;
  say = services.system.say;
  options.defects.reportTo(services.reportDefect);
  const startUp = watchStartUp({
    onReady: () => options.print(READY_LINE),
    onFailure(reason) {
      // An installed Gatehouse has no launcher that would open the browser host instead.
      if (app.isPackaged) showStartFailure(windowFailedError(reason), options);
      else {
        options.print(statusLine(NO_WINDOW_PREFIX, reason));
        quit();
      }
    },
    onClosed: () => options.print(CLOSED_LINE),
  });
  app.on('before-quit', startUp.quitting);
  const rescue = createPageRescue({
    timer,
    log,
    asks: () => app.isPackaged || startUp.isReady(),
    offerReload: (window, trouble, signal) =>
      offerReload(window, { trouble, signal, quit, showLog }),
  });
  const closePorts = servePorts(ipcMain, createRouter(services), log, {
    onConnected() {
      startUp.pageConnected();
      rescue.connected();
    },
    onClosed(isLast) {
      if (isLast) rescue.disconnected();
      services.media.leaveRecordings();
    },
  });
  const untilClosing = new AbortController();
  shutdown = prepareShutdown({
    services,
    log,
    closePorts() {
      untilClosing.abort();
      closePorts();
    },
  });
  const { isLeaving, quit, watchSession } = shutdown;

  servePage(protocol, options.page, answerMedia(createMediaRoutes(services.media, log)));
  guardPermissions(session.defaultSession, systemPreferences, platform);
  const ask: MainWindow['ask'] = async (question) =>
    (await main?.ask(question)) ?? question.cancelId;
  installMenu({
    platform,
    packaged: app.isPackaged,
    openSettings: () => main?.showAt('#/settings'),
    openReadme: app.isPackaged ? null : () => openPath(join(app.getAppPath(), 'README.md')),
    showLog,
    reportProblem: () =>
      reportProblem({ ask, version: options.version, showLog, checkItself }).catch(
        (cause: unknown) => log(`reporting a problem: ${String(cause)}`),
      ),
    quit: () => main?.leave(),
    showAbout: () =>
      showAbout({ ask, version: options.version, platform, versions: process.versions }).catch(
        (cause: unknown) => log(`About: ${String(cause)}`),
      ),
  });
  followTheme(nativeTheme, services, untilClosing.signal).catch((cause: unknown) =>
    log(`following the theme: ${String(cause)}`),
  );

  activity = createActivity({ services, main: () => main, isLeaving, log });
  const memory = createWindowMemory({ folder: options.home, screen, timer, log });
  main = createMainWindow({
    open(onShown) {
      const window = openWindow({
        preload: options.preload,
        dark: nativeTheme.shouldUseDarkColors,
        icon: iconFile(app, platform),
        memory,
        clock: () => performance.now(),
        timer,
        log,
        onShown() {
          startUp.windowShown();
          // It says what ended before.
          endedUnsaid = false;
          onShown();
        },
        onFailure(reason) {
          if (!startUp.failed(reason)) log(`the window: ${reason}`);
        },
        onCrashLoop(reason) {
          if (!startUp.failed(`its page crashed: ${reason}`)) rescue.keepsCrashing();
        },
      });
      watchSession(window);
      rescue.follow(window);
      return window;
    },
    goingOn: activity.goingOn,
    notifies: notifier.isCertain,
    staysWithoutWindow: platform === 'darwin',
    onChange: activity.update,
    isLeaving,
    quit,
    log,
  });

  function showLog(): void {
    shell.showItemInFolder(logPath(options.home));
  }

  function openPath(path: string): void {
    shell.openPath(path).then(
      (problem) => problem !== '' && log(`opening ${path}: ${problem}`),
      (cause: unknown) => log(`opening ${path}: ${String(cause)}`),
    );
  }

  /** Without a window no one could reach it any more, except by starting it again. macOS has the dock. */
  function endWhenLeftAlone(): void {
    if (platform === 'darwin' || main === null || main.isOpen() || isLeaving()) return;
    if (services.unfinishedCount() > 0 || notifier.isPending()) return;
    if (endedUnsaid) main.show();
    else quit();
  }

  const show = () => main?.show();
  app.on('activate', show);
  app.on('second-instance', show);
  app.on('window-all-closed', endWhenLeftAlone);
  app.on('browser-window-focus', endedNotice.seen);
  app.on('browser-window-blur', endedNotice.left);
  // Chromium starts those of its services again by itself.
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) =>
    log(`${name ?? type} process ended: ${reason} (${exitCode})`),
  );
  show();
}

/** The window's own parts (title bar, menus, dialogs) follow the theme that the user set, until `signal` aborts. */
async function followTheme(
  theme: Pick<NativeTheme, 'themeSource'>,
  { changes, settings }: Pick<Services, 'changes' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  theme.themeSource = settings.get().theme;
  for await (const { topic } of changes.subscribe(signal)) {
    if (topic === 'settings') theme.themeSource = settings.get().theme;
  }
}
