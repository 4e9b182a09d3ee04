/** What is going on, and what the system shows and does meanwhile. */
import { powerSaveBlocker } from 'electron';
import type { Services } from '../services.ts';
import type { ActiveWork } from './active-work.ts';
import { createKeepAwake } from './keep-awake.ts';
import type { MainWindow } from './main-window.ts';
import { createTrayItem } from './tray-item.ts';

export interface Activity {
  goingOn(): ActiveWork;
  /** Call when a run, or the window, has changed. */
  update(): void;
}

export interface ActivityOptions {
  services: Pick<Services, 'comparisons' | 'engine' | 'media'>;
  main: () => MainWindow | null;
  isLeaving: () => boolean;
  log: (line: string) => void;
}

export function createActivity({ services, main, isLeaving, log }: ActivityOptions): Activity {
  const goingOn = (): ActiveWork => ({
    runs: services.engine.active(),
    waiting: services.comparisons.waitingCount(),
    recordings: services.media.recordingCount(),
  });
  const keepAwake = createKeepAwake(powerSaveBlocker);
  const tray = createTrayItem({
    goingOn,
    isNeeded: () => main()?.isOpen() === false && !isLeaving(),
    open: () => main()?.show(),
    quit: () => main()?.leave(),
    log,
  });
  return {
    goingOn,
    update() {
      keepAwake(services.engine.active());
      tray.update();
    },
  };
}
