/** While work is in progress, keeps the computer awake and shows a tray icon and its progress. */
import {
  Menu,
  type NativeImage,
  nativeImage,
  type PowerSaveBlocker,
  powerSaveBlocker,
  Tray,
} from 'electron';
import type { RunSummary } from '../../shared/run.ts';
import small from '../resources/icons/16x16.png?inline';
import large from '../resources/icons/32x32.png?inline';
import type { Services } from '../services.ts';
import { type ActiveWork, describeActiveWork, hasActiveWork } from './active-work.ts';
import type { Downloads } from './downloads.ts';
import type { MainWindow } from './main-window.ts';

export interface ActivityOptions {
  services: Pick<Services, 'comparisons' | 'engine' | 'media'>;
  downloads: Downloads;
  platform: NodeJS.Platform;
  main: () => MainWindow | null;
  isLeaving: () => boolean;
  log: (line: string) => void;
}

export interface Activity {
  getActiveWork(): ActiveWork;
  /** Call this when runs, downloads or the window have changed. */
  update(): void;
}

export function createActivity(options: ActivityOptions): Activity {
  const { services, downloads, main, isLeaving } = options;
  const getActiveWork = (): ActiveWork => ({
    runs: services.engine.active(),
    waiting: services.comparisons.waitingCount(),
    recordings: services.media.recordingCount(),
    downloads: downloads.count(),
  });
  const keepAwake = createKeepAwake(powerSaveBlocker);
  const tray = createTrayItem({
    getActiveWork,
    isNeeded: () => main()?.isOpen() === false && !isLeaving(),
    open: () => main()?.show(),
    quit: () => main()?.leave(),
    platform: options.platform,
    log: options.log,
  });
  return {
    getActiveWork,
    update(): void {
      keepAwake({
        phases: services.engine.active().map(({ phase }) => phase.name),
        downloads: downloads.count(),
        mayNap: options.platform === 'darwin' && main()?.isOpen() === false,
      });
      tray.update();
      main()?.showProgress(downloads.getProgress());
    },
  };
}

/**
 * Keeps the system awake while a response or file is arriving, but not between polls, except where
 * macOS would delay the polls of an app without a window by minutes (App Nap).
 */
export function createKeepAwake(
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
): (work: { phases: readonly PhaseName[]; downloads: number; mayNap: boolean }) => void {
  /** IDs start at 0, so check for null to test whether this is inactive. */
  let id: number | null = null;
  return ({ phases, downloads, mayNap }) => {
    const isNeeded =
      downloads > 0 ||
      phases.some((name) => name === 'working' || name === 'downloading') ||
      (mayNap && phases.includes('following'));
    if (isNeeded && id === null) id = blocker.start('prevent-app-suspension');
    if (isNeeded || id === null) return;
    blocker.stop(id);
    id = null;
  };
}

type PhaseName = RunSummary['phase']['name'];

export interface TrayItemOptions {
  getActiveWork: () => ActiveWork;
  /** Returns false while a window is open or the app is quitting. */
  isNeeded: () => boolean;
  open: () => void;
  quit: () => void;
  platform: NodeJS.Platform;
  log: (line: string) => void;
}

export interface TrayItem {
  /** Shows the active work, or removes the icon if it isn't needed. */
  update(): void;
}

/** On a desktop without a tray, the user starts Gatehouse again to open the window. */
export function createTrayItem(options: TrayItemOptions): TrayItem {
  let tray: Tray | null = null;
  let shown = '';

  /**
   * Destroys the icon only after the current event, which Electron may be sending for this icon.
   */
  function remove(): void {
    const removed = tray;
    tray = null;
    shown = '';
    if (removed !== null) setImmediate(() => removed.destroy());
  }

  function show(text: string): void {
    if (text === shown) return;
    tray ??= createTray();
    shown = text;
    tray.setToolTip(`Gatehouse: ${text}`);
    // Linux ignores changes to an existing menu, so create a new one for each update.
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: text, enabled: false },
        { type: 'separator' },
        { label: 'Open Gatehouse', click: options.open },
        { label: 'Quit', click: options.quit },
      ]),
    );
  }

  function createTray(): Tray {
    const made = new Tray(createTrayImage());
    // A click shows the menu on macOS, which Electron reports as a click too.
    if (options.platform !== 'darwin') made.on('click', options.open);
    return made;
  }

  return {
    update() {
      const activeWork = options.getActiveWork();
      if (!options.isNeeded() || !hasActiveWork(activeWork)) return remove();
      try {
        show(describeActiveWork({ ...activeWork, recordings: 0 }));
      } catch (cause) {
        options.log(`no tray item: ${String(cause)}`);
      }
    },
  };
}

/** The icon is inlined, because the packaged app has no image files. */
function createTrayImage(): NativeImage {
  const image = nativeImage.createFromDataURL(small);
  image.addRepresentation({ scaleFactor: 2, dataURL: large });
  return image;
}
