import { isDarkTheme } from '../../ui/watch-theme.ts';

/** A point's position in CSS pixels. */
export interface PlacedPoint {
  x: number;
  y: number;
}

const MARGIN = 24;

/** Fits the points into the canvas and keeps their proportions. */
export function placePoints(
  { clientWidth, clientHeight }: Pick<HTMLElement, 'clientWidth' | 'clientHeight'>,
  points: Float32Array,
): PlacedPoint[] {
  const count = points.length / 2;
  const [minX, maxX] = getRange(points, 0);
  const [minY, maxY] = getRange(points, 1);
  const scale = Math.min(
    (clientWidth - 2 * MARGIN) / Math.max(1e-9, maxX - minX),
    (clientHeight - 2 * MARGIN) / Math.max(1e-9, maxY - minY),
  );
  const middle = { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
  return Array.from({ length: count }, (_, at) => ({
    x: clientWidth / 2 + ((points[2 * at] ?? 0) - middle.x) * scale,
    y: clientHeight / 2 - ((points[2 * at + 1] ?? 0) - middle.y) * scale,
  }));
}

function getRange(points: Float32Array, axis: 0 | 1): [min: number, max: number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let at = axis; at < points.length; at += 2) {
    min = Math.min(min, points[at] ?? 0);
    max = Math.max(max, points[at] ?? 0);
  }
  return min <= max ? [min, max] : [0, 0];
}

const REACH = 24;

/** Returns the nearest point within reach; null if there is none. */
export function findPoint(points: readonly PlacedPoint[], x: number, y: number): number | null {
  let best: number | null = null;
  let nearest = REACH;
  for (const [at, point] of points.entries()) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance < nearest) [best, nearest] = [at, distance];
  }
  return best;
}

const directions: Readonly<Record<string, PlacedPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Returns the next point in the direction of an arrow key; null for other keys and at the edge. */
export function moveTo(
  points: readonly PlacedPoint[],
  from: number | null,
  key: string,
): number | null {
  const direction = directions[key];
  if (direction === undefined || points.length === 0) return null;
  const start = from === null ? undefined : points[from];
  if (start === undefined) return 0;
  let best: number | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const [at, point] of points.entries()) {
    const [x, y] = [point.x - start.x, point.y - start.y];
    const ahead = x * direction.x + y * direction.y;
    const aside = Math.abs(x * direction.y + y * direction.x);
    // Penalize points that are far off to the side.
    const cost = ahead + 2 * aside;
    if (at !== from && ahead > 0 && cost < lowest) [best, lowest] = [at, cost];
  }
  return best;
}

const LABEL_HEIGHT = 13;
/** The distance from a point to its label. */
const LABEL_GAP = 8;
const EDGE_GAP = 4;

/** Returns each label's left middle; null if the label would cover another label or a point. */
export function placeLabels(
  points: readonly PlacedPoint[],
  widths: readonly number[],
  mapWidth: number,
): (PlacedPoint | null)[] {
  const placed: (PlacedPoint & { width: number })[] = [];
  return points.map((point, at) => {
    const width = widths[at] ?? 0;
    const right = { x: point.x + LABEL_GAP, y: point.y };
    const left = { x: point.x - LABEL_GAP - width, y: point.y };
    const middle = Math.max(EDGE_GAP, Math.min(point.x - width / 2, mapWidth - EDGE_GAP - width));
    const place = [
      ...(point.x > mapWidth / 2 ? [left, right] : [right, left]),
      { x: middle, y: point.y - LABEL_HEIGHT },
      { x: middle, y: point.y + LABEL_HEIGHT },
    ].find(
      ({ x, y }) =>
        x >= 0 &&
        x + width <= mapWidth &&
        placed.every(
          (other) =>
            Math.abs(other.y - y) >= LABEL_HEIGHT ||
            x >= other.x + other.width ||
            other.x >= x + width,
        ) &&
        points.every(
          (other) =>
            other === point ||
            Math.abs(other.y - y) >= LABEL_HEIGHT - 2 ||
            x >= other.x + LABEL_GAP / 2 ||
            other.x - LABEL_GAP / 2 >= x + width,
        ),
    );
    if (place === undefined) return null;
    placed.push({ ...place, width });
    return place;
  });
}

/** Neighboring numbers have hues that are far apart. */
const hues = [275, 70, 160, 25, 220, 330, 110, 190];

/** Returns a color for both themes; a canvas needs the color of one `scheme`. */
export function groupColor(group: number, scheme?: 'light' | 'dark'): string {
  const hue = hues[group % hues.length];
  const [light, dark] = [`oklch(0.56 0.16 ${hue})`, `oklch(0.76 0.13 ${hue})`];
  if (scheme === undefined) return `light-dark(${light}, ${dark})`;
  return scheme === 'light' ? light : dark;
}

/** Returns the number of points in each group. */
export function countGroups(groups: readonly number[]): number[] {
  const sizes: number[] = [];
  for (const group of groups) sizes[group] = (sizes[group] ?? 0) + 1;
  return Array.from(sizes, (size) => size ?? 0);
}

interface MapLook {
  rows: readonly number[];
  names: readonly string[];
  /** The group of each point, from 0, which sets its color. */
  groups: readonly number[];
  /** The highlighted point; null if there is none. */
  chosen: number | null;
}

/** More labels would overlap. */
const MAX_LABELS = 40;
/** The share of the map's width that a label may take. */
const MAX_LABEL_SHARE = 0.45;

export function drawMap(
  canvas: HTMLCanvasElement,
  points: readonly PlacedPoint[],
  { rows, names, groups, chosen }: MapLook,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  // Read computed colors, because a canvas can't use the theme's CSS variables.
  const { color: accent, fill: muted, stroke: outline } = style;
  context.font = `11px ${style.fontFamily}`;
  const isGrouped = groups.some((group) => group > 0);
  const scheme = isDarkTheme() ? 'dark' : 'light';
  context.globalAlpha = points.length > 300 ? 0.5 : 0.85;
  for (const [at, { x, y }] of points.entries()) {
    context.fillStyle = isGrouped ? groupColor(groups[at] ?? 0, scheme) : accent;
    drawDot(context, x, y, points.length > 1000 ? 2.5 : 4);
  }
  context.globalAlpha = 1;
  if (points.length <= MAX_LABELS) {
    context.fillStyle = muted;
    const measure = (text: string) => context.measureText(text).width;
    const maxWidth = MAX_LABEL_SHARE * canvas.clientWidth;
    const labels = points.map((_, at) => fitLabel(names[rows[at] ?? 0] ?? '', maxWidth, measure));
    const widths = labels.map(measure);
    for (const [at, place] of placeLabels(points, widths, canvas.clientWidth).entries()) {
      if (place !== null) context.fillText(labels[at] ?? '', place.x, place.y + 4);
    }
  }
  const point = chosen === null ? undefined : points[chosen];
  if (point === undefined) return;
  context.fillStyle = accent;
  drawDot(context, point.x, point.y, 6);
  context.strokeStyle = outline;
  context.lineWidth = 2;
  context.stroke();
}

function drawDot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Fits several times the widest map. */
const MAX_LABEL_LENGTH = 1000;

/** Returns the longest start of a text that, with an ellipsis, isn't wider than `maxWidth`. */
export function fitLabel(
  text: string,
  maxWidth: number,
  measure: (text: string) => number,
): string {
  if (text.length <= MAX_LABEL_LENGTH && measure(text) <= maxWidth) return text;
  let [fits, tooLong] = [0, Math.min(text.length, MAX_LABEL_LENGTH)];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (measure(`${text.slice(0, middle)}…`) <= maxWidth) fits = middle;
    else tooLong = middle;
  }
  return `${text.slice(0, fits).trimEnd()}…`;
}
