/** Runs the desktop app once Electron is ready: services, page, ports, window and shutdown. */
import { join } from 'node:path';
import {
  type App,
  app,
  ipcMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
} from 'electron';
import type { Notice } from '../../shared/contract/system.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { systemTimer, type Timer } from '../base/timer.ts';
import type { UncaughtErrors } from '../base/uncaught-errors.ts';
import {
  CLOSED_LINE,
  formatStatusLine,
  NO_WINDOW_PREFIX,
  READY_LINE,
} from '../launch/status-lines.ts';
import { getLogPath } from '../log-file.ts';
import { createLoginEnvironment } from '../mcp/login-environment.ts';
import { createMediaRoutes } from '../media/routes/media-routes.ts';
import { createRouter } from '../router.ts';
import { createServices } from '../services.ts';
import type { System } from '../system.ts';
import { type Activity, createActivity } from './activity.ts';
import { type DelayMonitor, logDelays } from './delay-log.ts';
import { followDownloads } from './downloads.ts';
import { reportProblem, runSelfCheckInChildProcess, showAbout } from './help-dialogs.ts';
import { createKeyCipher } from './key-cipher.ts';
import { createMainWindow, type MainWindow } from './main-window.ts';
import { installMenu } from './menu.ts';
import { createEndedNotice, createRunNotifier } from './notifications.ts';
import { createMediaResponder, type PageSource, servePage } from './page-protocol.ts';
import { createPageWatchdog } from './page-watchdog.ts';
import { guardPermissions } from './permissions.ts';
import { startAppImage, withoutAppImage } from './relaunch-app-image.ts';
import { servePorts } from './rpc-ports.ts';
import { prepareShutdown, type Shutdown } from './shutdown.ts';
import { createWindowError, showStartFailure, watchStartUp } from './start-up.ts';
import { createUpdater, type UpdaterLibrary } from './updater.ts';
import { getWindowIcon, openWindow } from './window.ts';
import { createWindowMemory } from './window-state.ts';

/** The first page comes first; the certificates are needed at the first HTTPS request. */
const PREPARE_MS = 2_000;

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
  print: (line: string) => void;
  timer?: Timer;
  loadUpdater?: () => Promise<UpdaterLibrary>;
  checkItself?: () => Promise<string>;
  /** Measures delays of this thread; without it, none are logged. */
  delays?: DelayMonitor;
  /** Called when Windows ends the session and then this process. */
  onSessionEnd?: () => void;
}

export async function runApplication(options: ApplicationOptions): Promise<void> {
  const { platform } = options;
  const checkItself =
    options.checkItself ??
    (() => runSelfCheckInChildProcess({ execPath: process.execPath, args: process.argv.slice(1) }));
  let main: MainWindow | null = null;
  let shutdown: Shutdown | null = null;
  let activity: Activity | null = null;

  const timer = options.timer ?? systemTimer;
  /** True if a notice was added with no window open and no system notification shown. */
  let hasUnseenNotices = false;
  let say: System['say'] = () => undefined;
  const endedNotice = createEndedNotice((notice) => say('ended runs', notice));
  const notifier = createRunNotifier({
    platform,
    packaged: app.isPackaged,
    findEnded(comparisonId) {
      const check = services.checks.getEndedTitle(comparisonId);
      if (check !== null) return { kind: 'Check', title: check };
      const comparison = services.comparisons.getEndedTitle(comparisonId);
      return comparison === null ? null : { kind: 'Comparison', title: comparison };
    },
    inFront: () => main?.isFocused() ?? false,
    onClick: () => main?.show(),
    onUnshown(title) {
      endedNotice.add(title);
      hasUnseenNotices ||= main?.isOpen() === false;
    },
    onSettled: quitIfIdle,
    timer,
    log: options.log,
  });
  const unsandboxed = createSandboxNotice(app, options.isRoot);
  if (unsandboxed !== null) options.log(unsandboxed.message);
  const services = await createServices({
    host: 'desktop',
    notices: unsandboxed === null ? [] : [unsandboxed],
    home: options.home,
    version: options.version,
    environment: options.environment,
    cipher: createKeyCipher(safeStorage, platform),
    // Chromium returns proxies in PAC format, such as `DIRECT`.
    systemProxy: (url) => session.defaultSession.resolveProxy(url),
    openExternal: (url) => shell.openExternal(url),
    updater: createUpdater({
      isPackaged: app.isPackaged,
      platform,
      environment: options.environment,
      resourcesPath: process.resourcesPath,
      relaunch: (appImage) => shutdown?.relaunch(appImage),
      log: options.log,
      ...(options.loadUpdater && { load: options.loadUpdater }),
    }),
    downloadCount: () => downloads.count(),
    ...(app.isPackaged &&
      platform !== 'win32' && {
        readLoginEnvironment: createLoginEnvironment({ environment: withoutAppImage(process.env) }),
      }),
    onRun(run) {
      if (shutdown?.isLeaving()) return;
      notifier.notify(run);
      quitIfIdle();
      activity?.update();
    },
    log: options.log,
  });
  const { log } = services;
  say = services.system.say;
  options.defects.reportTo(services.reportDefect);
  const downloads = followDownloads({
    session: session.defaultSession,
    backups: services.backups,
    say(notice) {
      say('download', notice);
      hasUnseenNotices ||= main?.isOpen() === false;
    },
    onSaved(name) {
      if (main?.isOpen() === false) notifier.notifySaved(name);
    },
    onChange() {
      activity?.update();
      quitIfIdle();
    },
    log,
  });
  let deadLinks = 0;
  const openLink = (url: string) =>
    void services.system.openExternal(url).catch((cause: unknown) => {
      log(`opening a link: ${String(cause)}`);
      if (cause instanceof UserFacingError) return;
      deadLinks += 1;
      say('link', { ...deadLink, id: `dead-link-${deadLinks}` });
    });
  const startUp = watchStartUp({
    onReady: () => options.print(READY_LINE),
    onFailure(reason) {
      // A packaged app has no launcher to open the browser version instead.
      if (app.isPackaged) showStartFailure(createWindowError(reason), options);
      else {
        options.print(formatStatusLine(NO_WINDOW_PREFIX, reason));
        quit();
      }
    },
    onClosed: () => options.print(CLOSED_LINE),
  });
  app.on('before-quit', startUp.quitting);
  const rescue = createPageWatchdog({
    timer,
    log,
    canAsk: () => app.isPackaged || startUp.isReady(),
    quit: () => quit(),
    showLog,
  });
  const closePorts = servePorts(ipcMain, createRouter(services), log, {
    onConnected() {
      startUp.pageConnected();
      timer.after(PREPARE_MS, () => services.network.prepare());
      rescue.connected();
    },
    onClosed(isLast) {
      if (isLast) rescue.disconnected();
      services.media.leaveRecordings();
      services.backups.leaveDownloads();
    },
  });
  shutdown = prepareShutdown({
    services,
    log,
    closePorts,
    startSuccessor: (path) => startAppImage(path, options.environment, log),
    onSessionEnd: options.onSessionEnd ?? (() => undefined),
    timer,
  });
  const { isLeaving, quit, watchSession } = shutdown;

  servePage(
    protocol,
    options.page,
    createMediaResponder(createMediaRoutes(services.media, log, services.backups)),
  );
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
  // The title bar, menus and dialogs follow this theme setting.
  function applyTheme(): void {
    nativeTheme.themeSource = services.settings.get().theme;
  }
  applyTheme();
  services.changes.listen(({ topic }) => {
    if (topic === 'settings') applyTheme();
  });

  activity = createActivity({
    services,
    downloads,
    main: () => main,
    isLeaving,
    platform,
    log,
  });
  const memory = createWindowMemory({ folder: options.home, screen, timer, log });
  main = createMainWindow({
    open(onShown) {
      const window = openWindow({
        preload: options.preload,
        dark: nativeTheme.shouldUseDarkColors,
        icon: getWindowIcon(app, platform),
        memory,
        openLink,
        clock: () => performance.now(),
        timer,
        log,
        onShown() {
          startUp.windowShown();
          // The window is visible, so it shows the notices.
          hasUnseenNotices = false;
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
    getActiveWork: activity.getActiveWork,
    notifies: notifier.isCertain,
    staysWithoutWindow: platform === 'darwin',
    onChange: activity.update,
    isLeaving,
    quit,
    log,
  });

  function showLog(): void {
    shell.showItemInFolder(getLogPath(options.home));
  }

  function openPath(path: string): void {
    shell.openPath(path).then(
      (problem) => problem !== '' && log(`opening ${path}: ${problem}`),
      (cause: unknown) => log(`opening ${path}: ${String(cause)}`),
    );
  }

  /**
   * Quits if there is no window and no active work, except on macOS, where the Dock icon remains.
   */
  function quitIfIdle(): void {
    if (platform === 'darwin' || main === null || main.isOpen() || isLeaving()) return;
    if (services.countUnfinished() > 0 || downloads.count() > 0 || notifier.isPending()) return;
    if (hasUnseenNotices) main.show();
    else quit();
  }

  const show = () => main?.show();
  app.on('activate', show);
  app.on('second-instance', show);
  app.on('window-all-closed', quitIfIdle);
  app.on('browser-window-focus', endedNotice.markSeen);
  app.on('browser-window-blur', endedNotice.left);
  if (options.delays) logDelays({ app, power: powerMonitor, timer, log, delays: options.delays });
  // Chromium restarts its service processes, so logging is enough.
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) =>
    log(`${name ?? type} process ended: ${reason} (${exitCode})`),
  );
  show();
}

const deadLink: Omit<Notice, 'id'> = {
  level: 'warning',
  message: 'The link couldn’t be opened, because no program on this computer opens it.',
  nextStep: 'Copy the link from its context menu, and open it yourself.',
};

/** Returns null if the sandbox is on; it may be off in an AppImage or for root. */
function createSandboxNotice(
  { commandLine }: Pick<App, 'commandLine'>,
  isRoot: boolean,
): Notice | null {
  if (!commandLine.hasSwitch('no-sandbox')) return null;
  return {
    id: 'sandbox-off',
    level: 'warning',
    message: isRoot
      ? 'Gatehouse is running as root without Chromium’s sandbox.'
      : 'Chromium’s sandbox is off because your system blocks it.',
    nextStep: isRoot
      ? 'Run Gatehouse as a non-root user.'
      : 'Install the deb package instead of the AppImage, or allow unprivileged user namespaces and start Gatehouse again.',
  };
}
