/** Redraws a painted scene in a style: pencil, woodcut, gouache, watercolor, ink or pixels. */
import { type Canvas, type Color, createCanvas, mix } from './canvas.ts';
import type { Style } from './plan-scene.ts';

export function stylize(painted: Canvas, style: Style): Canvas {
  switch (style) {
    case 'painting':
      return painted;
    case 'sketch':
      return sketchScene(painted);
    case 'woodcut':
      return carve(painted);
    case 'gouache':
      return mapPixels(painted, (pixel) => flatten(pixel, GOUACHE_LEVELS));
    case 'watercolor':
      return mapPixels(painted, (pixel, x, y) => mix(pixel, PAPER, 0.26 + 0.05 * grain(x, y)));
    case 'ink':
      return mapPixels(painted, (pixel) => mix(INK, PAPER, getBrightness(pixel) / 255));
    case 'pixels': {
      const { width, height } = painted;
      pixelate(painted, Math.max(2, Math.round(Math.min(width, height) / 96)));
      return painted;
    }
  }
}

const GOUACHE_LEVELS = 12;
const WOODCUT_LEVELS = 7;
const INK: Color = [34, 30, 38];

function mapPixels(
  { width, height, rgb }: Canvas,
  change: (pixel: Color, x: number, y: number) => Color,
): Canvas {
  const changed = createCanvas(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      changed.rgb.set(change([rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0], x, y), at);
    }
  }
  return changed;
}

/** Rounds the brightness and keeps the hue. */
function flatten(pixel: Color, levels: number): Color {
  const step = 255 / levels;
  const brightness = Math.max(1, getBrightness(pixel));
  const share = Math.max(step / 2, Math.round(brightness / step) * step) / brightness;
  const [red, green, blue] = pixel;
  const scale = (value: number) => Math.min(255, value * share);
  return [scale(red), scale(green), scale(blue)];
}

function getBrightness([red, green, blue]: Color): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Returns a value from 0 to 1 for each spot of paper, three pixels wide. */
function grain(x: number, y: number): number {
  const cell = Math.imul(Math.floor(x / 3), 0x27d4eb2d) ^ Math.imul(Math.floor(y / 3), 0x165667b1);
  const mixed = Math.imul(cell ^ (cell >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 24) / 255;
}

const WOOD_PAPER: Color = [246, 226, 188];
const CUTS = 84;
const WAVE = 0.35;

/** Prints flat colors, then black in lines that are thicker where the scene is darker. */
function carve(painted: Canvas): Canvas {
  const { width, height, rgb } = painted;
  const tones = toTones(rgb);
  const spacing = Math.max(3, Math.min(width, height) / CUTS);
  return mapPixels(painted, (pixel, x, y) => {
    const color = mix(flatten(pixel, WOODCUT_LEVELS), WOOD_PAPER, 0.35);
    const place = y / spacing + WAVE * Math.sin(x / spacing / 5);
    const apart = Math.abs(place - Math.floor(place) - 0.5) * 2;
    const thickness = ((tones[y * width + x] ?? 0) - 0.42) * 1.6;
    return mix(color, INK, Math.min(1, Math.max(0, ((thickness - apart) * spacing) / 2 + 0.5)));
  });
}

/** Copies the first pixel of each square to the others. */
export function pixelate({ width, height, rgb }: Canvas, side: number): void {
  for (let y = 0; y < height; y += 1) {
    const row = (y - (y % side)) * width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + x - (x % side)) * 3;
      rgb.copyWithin((y * width + x) * 3, from, from + 3);
    }
  }
}

const PAPER: Color = [247, 243, 234];
const GRAPHITE: Color = [46, 48, 56];
/** Limiting the shades keeps the PNG small. */
const SHADES = Array.from({ length: 13 }, (_, index) => mix(PAPER, GRAPHITE, index / 12));
/** Each darkness level adds a layer of strokes that crosses the previous one. */
const LAYERS: readonly (readonly [darkness: number, across: number, down: number])[] = [
  [0.3, 1, 1],
  [0.55, 1, -1],
  [0.78, 3, -1],
];
const STROKES = 110;
/** A fraction of the distance between strokes. */
const HALF_STROKE = 0.15;
/** Tone differences of at least this much are drawn in full graphite. */
const FULL_EDGE = 0.3;

function sketchScene({ width, height, rgb }: Canvas): Canvas {
  const sketch = createCanvas(width, height);
  const tones = toTones(rgb);
  const side = Math.min(width, height);
  const spacing = Math.max(4, side / STROKES);
  const reach = Math.max(1, Math.round(side / 800));
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    const above = Math.max(0, y - reach) * width;
    const below = Math.min(height - 1, y + reach) * width;
    for (let x = 0; x < width; x += 1) {
      const left = tones[row + Math.max(0, x - reach)] ?? 0;
      const right = tones[row + Math.min(width - 1, x + reach)] ?? 0;
      const drop = Math.abs((tones[below + x] ?? 0) - (tones[above + x] ?? 0));
      const edge = Math.min(1, (Math.abs(right - left) + drop) / FULL_EDGE);
      const mark = Math.max(edge ** 1.5, hatching(tones[row + x] ?? 0, x, y, spacing));
      sketch.rgb.set(SHADES[Math.round(mark * (SHADES.length - 1))] ?? PAPER, (row + x) * 3);
    }
  }
  return sketch;
}

function hatching(darkness: number, x: number, y: number, spacing: number): number {
  let mark = 0;
  for (const [from, across, down] of LAYERS) {
    if (darkness < from) break;
    const place = (x * across + y * down) / Math.hypot(across, down) / spacing;
    const apart = Math.abs(place - Math.floor(place) - 0.5);
    const cover = Math.min(1, (HALF_STROKE - apart) * spacing + 0.5);
    mark = Math.max(mark, cover * (0.35 + darkness * 0.4));
  }
  return mark;
}

/** Averages each pixel's darkness with its rank, so that dark scenes still show contrast. */
function toTones(rgb: Uint8Array): Float32Array {
  const brightness = new Uint8Array(rgb.length / 3);
  const counts = new Uint32Array(256);
  for (let pixel = 0; pixel < brightness.length; pixel += 1) {
    const [red = 0, green = 0, blue = 0] = [rgb[pixel * 3], rgb[pixel * 3 + 1], rgb[pixel * 3 + 2]];
    const level = Math.floor(0.299 * red + 0.587 * green + 0.114 * blue);
    brightness[pixel] = level;
    counts[level] = (counts[level] ?? 0) + 1;
  }
  let darker = 0;
  const levelTones = Float32Array.from(counts, (count, level) => {
    const rank = (darker + count / 2) / brightness.length;
    darker += count;
    return 1 - (rank + level / 255) / 2;
  });
  return Float32Array.from(brightness, (level) => levelTones[level] ?? 0);
}
