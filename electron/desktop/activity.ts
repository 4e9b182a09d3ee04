/** While runs are active, keeps the computer awake and shows a tray icon. */
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
import type { MainWindow } from './main-window.ts';

export interface ActivityOptions {
  services: Pick<Services, 'comparisons' | 'engine' | 'media'>;
  main: () => MainWindow | null;
  isLeaving: () => boolean;
  log: (line: string) => void;
}

export interface Activity {
  getActiveWork(): ActiveWork;
  /** Call this when runs, or the window, have changed. */
  update(): void;
}

export function createActivity({ services, main, isLeaving, log }: ActivityOptions): Activity {
  const getActiveWork = (): ActiveWork => ({
    runs: services.engine.active(),
    waiting: services.comparisons.waitingCount(),
    recordings: services.media.recordingCount(),
  });
  const keepAwake = createKeepAwake(powerSaveBlocker);
  const tray = createTrayItem({
    getActiveWork,
    isNeeded: () => main()?.isOpen() === false && !isLeaving(),
    open: () => main()?.show(),
    quit: () => main()?.leave(),
    log,
  });
  return {
    getActiveWork,
    update(): void {
      keepAwake(services.engine.active());
      tray.update();
    },
  };
}

/** Keeps the system awake while a response or file is arriving, but not between polls. */
export function createKeepAwake(
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
): (active: readonly Pick<RunSummary, 'phase'>[]) => void {
  /** IDs start at 0, so check for null to test whether this is inactive. */
  let id: number | null = null;
  return (active) => {
    const arrives = active.some(
      ({ phase }) => phase.name === 'working' || phase.name === 'downloading',
    );
    if (arrives && id === null) id = blocker.start('prevent-app-suspension');
    if (arrives || id === null) return;
    blocker.stop(id);
    id = null;
  };
}

export interface TrayItemOptions {
  getActiveWork: () => ActiveWork;
  /** Returns false while a window is open or the app is quitting. */
  isNeeded: () => boolean;
  open: () => void;
  quit: () => void;
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

  function remove(): void {
    tray?.destroy();
    tray = null;
    shown = '';
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
    const made = new Tray(trayImage());
    made.on('click', options.open);
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
function trayImage(): NativeImage {
  const image = nativeImage.createFromDataURL(small);
  image.addRepresentation({ scaleFactor: 2, dataURL: large });
  return image;
}
