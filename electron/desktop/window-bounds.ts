/** Where a window continues the screens that are there: no part of it may be out of reach. */
import type { Rectangle } from 'electron';

export interface Size {
  width: number;
  height: number;
}

/** What is remembered from one start to the next. */
export interface WindowPlace {
  /** Of the window while it is not maximized. */
  bounds: Rectangle;
  maximized: boolean;
}

export const DEFAULT_SIZE: Size = { width: 1360, height: 860 };
const SMALLEST_SIZE: Size = { width: 960, height: 600 };

/** Windows counts invisible borders, by which a window beside the edge of a screen reaches over it. */
const BORDER = 16;

/** `workAreas` are of the screens, the primary one first: what panels and docks leave of them. */
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

/** The same bounds where they can be seen whole, on one screen or across several. */
export function clampToWorkArea(bounds: Rectangle, workAreas: readonly Rectangle[]): Rectangle {
  const inner = {
    x: bounds.x + BORDER,
    y: bounds.y,
    width: Math.max(1, bounds.width - 2 * BORDER),
    height: Math.max(1, bounds.height - BORDER),
  };
  const seen = workAreas.reduce((sum, area) => sum + overlap(inner, area), 0);
  const area = nearest(bounds, workAreas);
  if (area === undefined || seen >= inner.width * inner.height) return bounds;
  const { width, height } = fitSize(bounds, area);
  return {
    x: clamp(bounds.x, area.x, area.x + area.width - width),
    y: clamp(bounds.y, area.y, area.y + area.height - height),
    width,
    height,
  };
}

/** How small the window may be made: never larger than the screen it is on. */
export function smallestSize(bounds: Rectangle, workAreas: readonly Rectangle[]): Size {
  const area = nearest(bounds, workAreas);
  return area === undefined ? SMALLEST_SIZE : fitSize(SMALLEST_SIZE, area);
}

/** The screen that shows most of it, else the primary one. */
function nearest(bounds: Rectangle, workAreas: readonly Rectangle[]): Rectangle | undefined {
  let [best] = workAreas;
  for (const area of workAreas) {
    if (best !== undefined && overlap(bounds, area) > overlap(bounds, best)) best = area;
  }
  return best;
}

function overlap(one: Rectangle, other: Rectangle): number {
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

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
