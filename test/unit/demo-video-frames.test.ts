/** Checks the frames that the demo gateway's video encoder gets, which once had a progress bar. */
import { beforeEach, expect, it, vi } from 'vitest';
import { type Canvas, createCanvas, fillBox } from '../../electron/demo/studio/worker/canvas.ts';
import { paintScene, paintSky } from '../../electron/demo/studio/worker/paint-scene.ts';
import { planScene, type Scene } from '../../electron/demo/studio/worker/plan-scene.ts';
import { renderVideo, splitPlanes } from '../../electron/demo/studio/worker/render-video.ts';

const WIDTH = 160;
const HEIGHT = 90;
const SECONDS = 2;
const FPS = 4;

/** The brightness plane and the two color planes of each frame. */
const frames: Uint8Array[] = [];

vi.mock('h264-mp4-encoder', () => ({
  default: {
    createH264MP4Encoder: async () => ({
      initialize: () => undefined,
      addFrameYuv: (planes: Uint8Array) => frames.push(planes.slice()),
      finalize: () => undefined,
      delete: () => undefined,
      FS: { readFile: () => new Uint8Array() },
    }),
  },
}));

beforeEach(() => {
  frames.length = 0;
});

const prompts = [
  'A drawbridge opens over a moat at dawn',
  'Clouds race over a gatehouse at noon',
  'A lantern in the rain at night',
];

it.each(prompts)('shows the scene without a bar in a video of %j', async (prompt) => {
  await renderVideo({
    prompt,
    seed: '1',
    width: WIDTH,
    height: HEIGHT,
    durationSeconds: SECONDS,
    fps: FPS,
  });
  expect(frames).toHaveLength(SECONDS * FPS);
  expect(frames.map(findBar)).toEqual(frames.map(() => null));
  const scene = planScene(prompt, '1');
  const painted = frames.map((_, index) => encode(paint(scene, index / FPS)));
  expect(frames.map((frame, index) => Buffer.compare(frame, painted[index] ?? frame))).toEqual(
    frames.map(() => 0),
  );
});

it.each([
  ['at the bottom', HEIGHT - 3, HEIGHT],
  ['above the bottom', HEIGHT - 7, HEIGHT - 3],
  ['at the top', 0, 4],
])('finds a bar %s', (_name, top, bottom) => {
  for (const prompt of prompts) {
    const canvas = paint(planScene(prompt, '1'), 1);
    fillBox(canvas, [0, top, WIDTH * 0.4, bottom], [255, 140, 0]);
    expect(findBar(encode(canvas)), prompt).not.toBeNull();
  }
});

function paint(scene: Scene, seconds: number): Canvas {
  const canvas = createCanvas(WIDTH, HEIGHT);
  paintScene(canvas, paintSky(scene, WIDTH, HEIGHT), scene, seconds);
  return canvas;
}

function encode(canvas: Canvas): Uint8Array {
  const planes = new Uint8Array((WIDTH * HEIGHT * 3) / 2);
  splitPlanes(canvas, planes);
  return planes;
}

/**
 * Returns the row of a straight edge near the top or the bottom of a frame, or null. There, a scene
 * has only sky and its reflection, whose color changes little from row to row.
 */
function findBar(frame: Uint8Array): number | null {
  const size = WIDTH * HEIGHT;
  const [width, height] = [WIDTH / 2, HEIGHT / 2];
  return (
    findEdge(frame.subarray(0, size), WIDTH, HEIGHT) ??
    findEdge(frame.subarray(size, size * 1.25), width, height) ??
    findEdge(frame.subarray(size * 1.25), width, height)
  );
}

function findEdge(plane: Uint8Array, width: number, height: number): number | null {
  for (let y = 1; y < height; y += 1) {
    if (y > height * 0.1 && y < height * 0.9) continue;
    let run = 0;
    for (let x = 0; x < width; x += 1) {
      const step = (plane[y * width + x] ?? 0) - (plane[(y - 1) * width + x] ?? 0);
      run = Math.abs(step) > 32 ? run + 1 : 0;
      if (run > width * 0.15) return y;
    }
  }
  return null;
}
