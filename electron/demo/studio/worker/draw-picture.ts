/** A picture of a prompt as a PNG. */

import { createCanvas } from './canvas.ts';
import { encodePng } from './encode-png.ts';
import type { PicturePlan } from './jobs.ts';
import { paintScene, paintSky } from './paint-scene.ts';
import { planScene } from './plan-scene.ts';

export function drawPicture({ prompt, seed, width, height }: PicturePlan): Uint8Array {
  const scene = planScene(prompt, seed);
  const canvas = createCanvas(width, height);
  paintScene(canvas, paintSky(scene, width, height), scene, 0);
  return encodePng(canvas);
}
