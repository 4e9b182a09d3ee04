/** Draws a prompt as a truecolor PNG (https://www.w3.org/TR/png-3/), in the style that it names. */

import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import type { ImageEdit, StudioJob } from '../studio.ts';
import { type Canvas, createCanvas } from './canvas.ts';
import { type DecodedPng, decodePng } from './decode-png.ts';
import { paintScene, paintSky } from './paint-scene.ts';
import { planScene } from './plan-scene.ts';
import { pixelate, stylize } from './stylize.ts';

export function drawImage({
  plan: { prompt, seed, width, height },
  style,
  edit,
  blockPixels = 1,
}: Extract<StudioJob, { kind: 'image' }>): Uint8Array {
  const scene = planScene(prompt, seed);
  const painted = createCanvas(width, height);
  paintScene(painted, paintSky(scene, width, height), scene, 0);
  const drawn = stylize(painted, style === 'sketch' ? style : scene.style);
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
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(rows, { level: 4 })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

function createChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
