/** Draws a painted scene in pencil: outlines where its brightness changes, hatching where it is darker than elsewhere. */
import { type Canvas, type Color, createCanvas, mix } from './canvas.ts';

const PAPER: Color = [247, 243, 234];
const GRAPHITE: Color = [46, 48, 56];
/** Few enough that the picture stays small as PNG. */
const SHADES = Array.from({ length: 13 }, (_, index) => mix(PAPER, GRAPHITE, index / 12));
/** From this darkness on, each layer of strokes goes another way over the last. */
const LAYERS: readonly (readonly [darkness: number, across: number, down: number])[] = [
  [0.3, 1, 1],
  [0.55, 1, -1],
  [0.78, 3, -1],
];
/** Strokes that lie beside each other on the shorter side of a picture. */
const STROKES = 110;
/** Of the distance between two. */
const HALF_STROKE = 0.15;
/** A difference in tone of this much is drawn as dark as the pencil goes. */
const FULL_EDGE = 0.3;

export function sketchScene({ width, height, rgb }: Canvas): Canvas {
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

/** How dark the strokes at a pixel are, 0 between them. */
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

/**
 * How dark each pixel is, 0 to 1: halfway between its own brightness (Rec. 601) and its rank among all, so that a night
 * has shades, too.
 */
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
  const toneOf = Float32Array.from(counts, (count, level) => {
    const rank = (darker + count / 2) / brightness.length;
    darker += count;
    return 1 - (rank + level / 255) / 2;
  });
  return Float32Array.from(brightness, (level) => toneOf[level] ?? 0);
}
