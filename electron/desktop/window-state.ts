/** Remembers the window's bounds and keeps it on the connected screens. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, Rectangle, Screen } from 'electron';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import type { Timer } from '../base/timer.ts';

export interface WindowMemoryOptions {
  folder: string;
  screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay' | 'on' | 'off'>;
  timer: Timer;
  log: (line: string) => void;
}

/** Delays the write until dragging stops, because dragging reports many positions. */
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

export interface WindowMemory {
  /** Returns the window's bounds and the minimum size on that screen. */
  place(): WindowPlace & { smallest: Size };
  /** Stores changes of the window's bounds, and keeps it in view when screens change. */
  follow(window: BrowserWindow): void;
}

export function createWindowMemory(options: WindowMemoryOptions): WindowMemory {
  const { screen, timer, log } = options;
  const path = join(options.folder, 'window.json');
  let requested: Rectangle | null = null;

  function workAreas() {
    const primary = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
    return [primary, ...others].map(({ workArea }) => workArea);
  }

  /** Write atomically, because the process may end at any time. */
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
    let frame: Frame | null = null;

    function remember(): void {
      stopTimer?.();
      stopTimer = null;
      // Platforms disagree about the bounds of a minimized window, and full screen isn't restored.
      if (window.isMinimized() || window.isFullScreen()) return;
      const bounds = window.getNormalBounds();
      if (window.isVisible()) frame ??= measureFrame(requested, bounds);
      const { left, top } = frame ?? noFrame;
      write({
        bounds: { ...bounds, x: bounds.x - left, y: bounds.y - top },
        maximized: window.isMaximized(),
      });
    }

    function rememberSoon(): void {
      stopTimer?.();
      stopTimer = timer.after(SETTLE_MS, remember);
    }

    function keepInView(): void {
      const areas = workAreas();
      const { width, height } = getMinSize(window.getBounds(), areas);
      window.setMinimumSize(width, height);
      // In these states, `setBounds` is ignored or ends the state.
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
    place(): WindowPlace & { smallest: Size } {
      const areas = workAreas();
      const place = restoreBounds(areas, read(path));
      requested = place.bounds;
      return { ...place, smallest: getMinSize(place.bounds, areas) };
    },
    follow,
  };
}

function read(path: string): WindowPlace | null {
  try {
    return placeSchema.parse(parseJson(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

interface Frame {
  left: number;
  top: number;
}

const noFrame: Frame = { left: 0, top: 0 };
/** Larger distances mean that the user or the window manager chose another place. */
const MAX_FRAME = 64;

/**
 * Returns how far an X11 window manager moved the window by its frame: Electron places the frame,
 * but reports the content's position, so a window would move down at each start.
 */
function measureFrame(requested: Rectangle | null, { x, y }: Rectangle): Frame {
  const left = x - (requested?.x ?? x);
  const top = y - (requested?.y ?? y);
  const isFrame = [left, top].every((length) => length >= 0 && length <= MAX_FRAME);
  return isFrame ? { left, top } : noFrame;
}

export interface Size {
  width: number;
  height: number;
}

export interface WindowPlace {
  bounds: Rectangle;
  maximized: boolean;
}

export const DEFAULT_SIZE: Size = { width: 1360, height: 860 };
const MIN_SIZE: Size = { width: 960, height: 600 };

/** Windows includes invisible borders, so a window at the edge of a screen extends past it. */
const BORDER = 16;

/** `workAreas` exclude panels and docks, and the primary screen comes first. */
export function restoreBounds(
  workAreas: readonly Rectangle[],
  place: WindowPlace | null,
): WindowPlace {
  if (place !== null) {
    return { bounds: clampToWorkArea(place.bounds, workAreas), maximized: place.maximized };
  }
  const [primary] = workAreas;
  if (primary === undefined) return { bounds: { x: 0, y: 0, ...DEFAULT_SIZE }, maximized: false };
  const { width, height } = fitSize(DEFAULT_SIZE, primary);
  const x = primary.x + Math.round((primary.width - width) / 2);
  const y = primary.y + Math.round((primary.height - height) / 2);
  return { bounds: { x, y, width, height }, maximized: false };
}

/** Keeps bounds that are fully visible on one or more screens. */
export function clampToWorkArea(bounds: Rectangle, workAreas: readonly Rectangle[]): Rectangle {
  const inner = {
    x: bounds.x + BORDER,
    y: bounds.y,
    width: Math.max(1, bounds.width - 2 * BORDER),
    height: Math.max(1, bounds.height - BORDER),
  };
  const seen = workAreas.reduce((sum, area) => sum + computeOverlap(inner, area), 0);
  const area = findNearest(bounds, workAreas);
  if (area === undefined || seen >= inner.width * inner.height) return bounds;
  const { width, height } = fitSize(bounds, area);
  return {
    x: clamp(bounds.x, area.x, area.x + area.width - width),
    y: clamp(bounds.y, area.y, area.y + area.height - height),
    width,
    height,
  };
}

export function getMinSize(bounds: Rectangle, workAreas: readonly Rectangle[]): Size {
  const area = findNearest(bounds, workAreas);
  return area === undefined ? MIN_SIZE : fitSize(MIN_SIZE, area);
}

/** Returns the screen with the largest overlap, or the primary screen. */
function findNearest(bounds: Rectangle, workAreas: readonly Rectangle[]): Rectangle | undefined {
  let [best] = workAreas;
  for (const area of workAreas) {
    if (best !== undefined && computeOverlap(bounds, area) > computeOverlap(bounds, best))
      best = area;
  }
  return best;
}

function computeOverlap(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

function fitSize(size: Size, area: Size): Size {
  return {
    width: Math.min(size.width, area.width),
    height: Math.min(size.height, area.height),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}
