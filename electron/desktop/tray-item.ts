/** What stands for Gatehouse while runs continue without a window: an item in the system's tray. */
import { Menu, type NativeImage, nativeImage, Tray } from 'electron';
import small from '../resources/icons/16x16.png?inline';
import large from '../resources/icons/32x32.png?inline';
import { type ActiveWork, describeActiveWork, hasActiveWork } from './active-work.ts';

export interface TrayItem {
  /** Shows, changes or removes it. */
  update(): void;
}

export interface TrayItemOptions {
  goingOn: () => ActiveWork;
  /** Whether a window, or the way out, makes it superfluous. */
  isNeeded: () => boolean;
  open: () => void;
  quit: () => void;
  log: (line: string) => void;
}

/** Where a desktop has no tray, nothing is shown and nothing says so: another start opens the window. */
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
    // Set again as a whole: Linux does not see what changes within a menu.
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
      const goingOn = options.goingOn();
      if (!options.isNeeded() || !hasActiveWork(goingOn)) return remove();
      try {
        show(describeActiveWork({ ...goingOn, recordings: 0 }));
      } catch (cause) {
        options.log(`no tray item: ${String(cause)}`);
      }
    },
  };
}

/** From the program itself: a packaged one carries no image files. */
function trayImage(): NativeImage {
  const image = nativeImage.createFromDataURL(small);
  image.addRepresentation({ scaleFactor: 2, dataURL: large });
  return image;
}
