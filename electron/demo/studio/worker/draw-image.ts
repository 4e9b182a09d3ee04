/** Draws a prompt as a truecolor PNG (https://www.w3.org/TR/png-3/), painted or in pencil. */

import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import type { ImageEdit, StudioJob } from '../studio.ts';
import { type Canvas, type Color, createCanvas, mix } from './canvas.ts';
import { type DecodedPng, decodePng } from './decode-png.ts';
import { paintScene, paintSky } from './paint-scene.ts';
import { planScene } from './plan-scene.ts';

export function drawImage({
  plan: { prompt, seed, width, height },
  style,
  edit,
  blockPixels = 1,
}: Extract<StudioJob, { kind: 'image' }>): Uint8Array {
  const scene = planScene(prompt, seed);
  const painted = createCanvas(width, height);
  paintScene(painted, paintSky(scene, width, height), scene, 0);
  const drawn = style === 'sketch' ? sketchScene(painted) : painted;
  if (edit !== undefined) editImage(drawn, edit);
  if (blockPixels > 1) pixelate(drawn, blockPixels);
  return encodePng(drawn);
}

/** Without a mask, every pixel is mixed with this share of the new image. */
const UNMASKED_SHARE = 0.5;

/** Keeps the image where the mask is opaque; a file that isn't a PNG counts as gray. */
function editImage(drawn: Canvas, { imagePath, maskPath }: ImageEdit): void {
  const image = decodePng(readFileSync(imagePath));
  const mask = maskPath === null ? null : decodePng(readFileSync(maskPath));
  const { width, height, rgb } = drawn;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const place = [x / width, y / height] as const;
      const base = image && getPixel(image, place);
      const [, , , opaque = 255] = mask ? getPixel(mask, place) : [];
      const kept = maskPath === null ? 1 - UNMASKED_SHARE : opaque / 255;
      const at = (y * width + x) * PIXEL_BYTES;
      for (let channel = 0; channel < PIXEL_BYTES; channel += 1) {
        const fresh = rgb[at + channel] ?? 0;
        rgb[at + channel] = fresh + ((base?.[channel] ?? 128) - fresh) * kept + 0.5;
      }
    }
  }
}

function getPixel({ width, height, rgba }: DecodedPng, [x, y]: readonly [number, number]) {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
  return rgba.subarray(at, at + 4);
}

/** Copies the first pixel of each square to the others. */
function pixelate({ width, height, rgb }: Canvas, side: number): void {
  for (let y = 0; y < height; y += 1) {
    const row = (y - (y % side)) * width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + x - (x % side)) * PIXEL_BYTES;
      rgb.copyWithin((y * width + x) * PIXEL_BYTES, from, from + PIXEL_BYTES);
    }
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOR = 2;
const PIXEL_BYTES = 3;
/** Storing each row as the difference from the row above compresses smooth images well. */
const FILTER_UP = 2;

export function encodePng({ width, height, rgb }: Canvas): Uint8Array {
  const rowBytes = width * PIXEL_BYTES;
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const target = y * (rowBytes + 1);
    const source = y * rowBytes;
    rows[target] = FILTER_UP;
    for (let at = 0; at < rowBytes; at += 1) {
      const above = y === 0 ? 0 : (rgb[source - rowBytes + at] ?? 0);
      rows[target + 1 + at] = (rgb[source + at] ?? 0) - above;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOR, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 4 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
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
