/** A picture of a prompt as a true-color PNG (https://www.w3.org/TR/png-3/). */
import { crc32, deflateSync } from 'node:zlib';
import { type Canvas, createCanvas } from './canvas.ts';
import type { PicturePlan, PictureStyle } from './jobs.ts';
import { paintScene, paintSky } from './paint-scene.ts';
import { planScene } from './plan-scene.ts';
import { sketchScene } from './sketch-scene.ts';

export function drawPicture(
  { prompt, seed, width, height }: PicturePlan,
  style: PictureStyle,
): Uint8Array {
  const scene = planScene(prompt, seed);
  const canvas = createCanvas(width, height);
  paintScene(canvas, paintSky(scene, width, height), scene, 0);
  return encodePng(style === 'sketch' ? sketchScene(canvas) : canvas);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOR = 2;
const PIXEL_BYTES = 3;
/** Each row as the difference to the row above: smooth pictures shrink well. */
const FILTER_UP = 2;

function encodePng({ width, height, rgb }: Canvas): Uint8Array {
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
