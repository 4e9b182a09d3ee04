/** Draws the thumbnail of a video, and its frames side by side. */
import type { VideoPlan } from '../studio.ts';
import { createCanvas } from './canvas.ts';
import { drawImage, encodePng } from './draw-image.ts';
import { paintScene, paintSky } from './paint-scene.ts';
import { planScene } from './plan-scene.ts';

const STILL_WIDTH = 160;
const COLUMNS = 4;
const ROWS = 3;

export function drawThumbnail(plan: VideoPlan): Uint8Array {
  return drawImage({
    kind: 'image',
    style: 'painting',
    plan: { ...plan, ...getStillSize(plan) },
  });
}

export function drawSpritesheet(plan: VideoPlan): Uint8Array {
  const { width, height } = getStillSize(plan);
  const scene = planScene(plan.prompt, plan.seed);
  const sky = paintSky(scene, width, height);
  const still = createCanvas(width, height);
  const sheet = createCanvas(width * COLUMNS, height * ROWS);
  for (let index = 0; index < COLUMNS * ROWS; index += 1) {
    paintScene(still, sky, scene, (index / (COLUMNS * ROWS)) * plan.durationSeconds);
    const left = (index % COLUMNS) * width;
    const top = Math.floor(index / COLUMNS) * height;
    for (let y = 0; y < height; y += 1) {
      const row = still.rgb.subarray(y * width * 3, (y + 1) * width * 3);
      sheet.rgb.set(row, ((top + y) * sheet.width + left) * 3);
    }
  }
  return encodePng(sheet);
}

function getStillSize({ width, height }: VideoPlan): { width: number; height: number } {
  return { width: STILL_WIDTH, height: Math.max(1, Math.round((STILL_WIDTH * height) / width)) };
}
