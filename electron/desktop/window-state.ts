/** Remembers where the window was, and keeps it on the screens that are there. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, Screen } from 'electron';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import type { Timer } from '../storage/timer.ts';
import {
  clampToWorkArea,
  restoreBounds,
  type Size,
  smallestSize,
  type WindowPlace,
} from './window-bounds.ts';

export interface WindowMemory {
  /** Where a window opens now, and how small it may be made there. */
  place(): WindowPlace & { smallest: Size };
  /** From now on the place of this window is the one to remember. */
  follow(window: BrowserWindow): void;
}

export interface WindowMemoryOptions {
  /** The data folder. */
  folder: string;
  screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay' | 'on' | 'off'>;
  timer: Timer;
  log: (line: string) => void;
}

/** A window that is being dragged reports many places. */
const SETTLE_MS = 500;

const placeSchema = z.object({
  bounds: z.object({
    x: z.int(),
    y: z.int(),
    width: z.int().positive(),
    height: z.int().positive(),
  }),
  maximized: z.boolean(),
});

export function createWindowMemory(options: WindowMemoryOptions): WindowMemory {
  const { screen, timer, log } = options;
  const path = join(options.folder, 'window.json');

  function workAreas() {
    const primary = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
    return [primary, ...others].map(({ workArea }) => workArea);
  }

  /** Whole or not at all: the process may end at any time. */
  function write(place: WindowPlace): void {
    try {
      writeFileSync(`${path}.new`, JSON.stringify(place));
      renameSync(`${path}.new`, path);
    } catch (cause) {
      log(`remembering the window's place: ${String(cause)}`);
    }
  }

  function follow(window: BrowserWindow): void {
    let stopTimer: (() => void) | null = null;

    function remember(): void {
      stopTimer?.();
      stopTimer = null;
      // What a minimized window answers differs between systems; full screen is not for the next start.
      if (window.isMinimized() || window.isFullScreen()) return;
      write({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
    }

    function rememberSoon(): void {
      stopTimer?.();
      stopTimer = timer.after(SETTLE_MS, remember);
    }

    function keepInView(): void {
      const areas = workAreas();
      const { width, height } = smallestSize(window.getBounds(), areas);
      window.setMinimumSize(width, height);
      // In these states the system decides; `setBounds` is not heard, or ends them.
      if (window.isMinimized() || window.isMaximized() || window.isFullScreen()) return;
      const before = window.getBounds();
      const after = clampToWorkArea(before, areas);
      const changed = (['x', 'y', 'width', 'height'] as const).some(
        (side) => before[side] !== after[side],
      );
      if (changed) window.setBounds(after);
    }

    window.on('resize', rememberSoon);
    window.on('move', rememberSoon);
    window.on('maximize', rememberSoon);
    window.on('unmaximize', rememberSoon);
    window.on('close', remember);
    window.on('restore', keepInView);
    window.on('unmaximize', keepInView);
    window.on('leave-full-screen', keepInView);
    screen.on('display-metrics-changed', keepInView);
    screen.on('display-removed', keepInView);
    window.once('closed', () => {
      stopTimer?.();
      screen.off('display-metrics-changed', keepInView);
      screen.off('display-removed', keepInView);
    });
  }

  return {
    place() {
      const areas = workAreas();
      const place = restoreBounds(areas, read(path));
      return { ...place, smallest: smallestSize(place.bounds, areas) };
    },
    follow,
  };
}

/** Null if nothing is remembered, or nothing that makes sense. */
function read(path: string): WindowPlace | null {
  try {
    return placeSchema.parse(parseJson(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
