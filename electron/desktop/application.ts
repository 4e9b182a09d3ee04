/** The desktop application from `ready` to its end: services, window, ports, closing. */
import {
  app,
  type BrowserWindow,
  ipcMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  session,
  shell,
  systemPreferences,
} from 'electron';
import { AppFailure } from '../../shared/errors.ts';
import { createRouter } from '../router.ts';
import { createServices, type Services } from '../services.ts';
import { askBeforeClosing } from './closing.ts';
import { createKeyCipher } from './key-cipher.ts';
import { installMenu } from './menu.ts';
import { createRunNotifier } from './notifications.ts';
import { servePage } from './page-protocol.ts';
import { guardPermissions } from './permissions.ts';
import { servePorts } from './rpc-ports.ts';
import { showStartFailure } from './start-failure.ts';
import { systemProxyOf } from './system-proxy.ts';
import { openWindow } from './window.ts';

export interface ApplicationOptions {
  home: string;
  version: string;
  preload: string;
  /** The built page. */
  pageFolder: string;
  /** Vite's address in `npm run dev`. */
  devUrl: string | null;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  log: (line: string) => void;
  /** Says to whoever started Gatehouse that the window is open. */
  announceReady: () => void;
}

export async function runApplication(options: ApplicationOptions): Promise<void> {
  const { log, platform } = options;
  let window: BrowserWindow | null = null;
  /** Set once the user has said what becomes of the runs, so that closing is not asked twice. */
  let leaving = false;

  const show = () => {
    if (window) {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    } else window = open();
  };

  const services = await start(options, {
    inFront: () => window?.isFocused() ?? false,
    onClick: show,
  });
  if (!services) return;

  servePage(protocol, options.pageFolder);
  guardPermissions(session.defaultSession, systemPreferences, platform);
  const closePorts = servePorts(ipcMain, createRouter(services), log);
  installMenu(platform, app.isPackaged);

  function open(): BrowserWindow {
    const opened = openWindow({
      preload: options.preload,
      ...(options.devUrl === null ? {} : { url: options.devUrl }),
      dark: nativeTheme.shouldUseDarkColors,
      now: () => performance.now(),
      log,
    });
    opened.on('close', (event) => {
      const active = services?.activeRunCount() ?? 0;
      if (leaving || active === 0) return;
      event.preventDefault();
      askBeforeClosing(opened, active).then((choice) => {
        if (choice === 'stay') return;
        if (choice === 'quit') return quit();
        opened.destroy();
      }, log);
    });
    opened.on('closed', () => {
      window = null;
    });
    return opened;
  }

  function quit(): void {
    leaving = true;
    app.quit();
  }

  app.on('activate', show);
  app.on('second-instance', show);
  app.on('window-all-closed', () => {
    // With runs going on the user has just chosen the background; macOS keeps its dock icon.
    if (platform !== 'darwin' && services.activeRunCount() === 0) quit();
  });
  app.on('before-quit', () => {
    leaving = true;
    // Synchronously: the system may not wait for more.
    services.ledger.flush();
  });
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    closePorts();
    services.close().then(
      () => {
        closed = true;
        app.quit();
      },
      (cause: unknown) => {
        log(`closing: ${String(cause)}`);
        closed = true;
        app.quit();
      },
    );
  });
  powerMonitor.on('suspend', () => services.ledger.flush());
  powerMonitor.on('shutdown', () => services.ledger.flush());

  show();
  options.announceReady();
}

/** Null where it cannot start; the user has been told why. */
async function start(
  options: ApplicationOptions,
  front: { inFront: () => boolean; onClick: () => void },
): Promise<Services | null> {
  try {
    return await createServices({
      host: 'desktop',
      home: options.home,
      version: options.version,
      environment: options.environment,
      cipher: createKeyCipher(safeStorage, options.platform),
      systemProxy: systemProxyOf(session.defaultSession),
      openExternal: (url) => shell.openExternal(url),
      onRun: createRunNotifier({ ...front, log: options.log }),
      log: options.log,
    });
  } catch (cause) {
    if (!(cause instanceof AppFailure)) throw cause;
    showStartFailure(cause.error, options.log);
    return null;
  }
}
