/** Renders a prompt as an H.264 MP4 video with a WebAssembly encoder. */
import h264 from 'h264-mp4-encoder';
import type { VideoPlan } from '../studio.ts';
import { type Canvas, createCanvas } from './canvas.ts';
import { paintScene, paintSky } from './paint-scene.ts';
import { planScene } from './plan-scene.ts';

/** The quantizer ranges from 10 (best quality) to 51. */
const QUANTIZATION = 27;
const FASTEST = 10;

/** Width and height must be even, because the encoder stores color at half resolution. */
export async function renderVideo(plan: VideoPlan): Promise<Uint8Array> {
  const { prompt, seed, width, height, fps } = plan;
  const scene = planScene(prompt, seed);
  const sky = paintSky(scene, width, height);
  const canvas = createCanvas(width, height);
  const encoder = await h264.createH264MP4Encoder();
  encoder.width = width;
  encoder.height = height;
  encoder.frameRate = fps;
  encoder.quantizationParameter = QUANTIZATION;
  encoder.speed = FASTEST;
  encoder.groupOfPictures = fps;
  encoder.initialize();
  const planes = new Uint8Array((width * height * 3) / 2);
  const frames = plan.durationSeconds * fps;
  for (let frame = 0; frame < frames; frame += 1) {
    paintScene(canvas, sky, scene, frame / fps);
    splitPlanes(canvas, planes);
    encoder.addFrameYuv(planes);
  }
  encoder.finalize();
  const video = encoder.FS.readFile(encoder.outputFilename);
  encoder.delete();
  return video;
}

/** Converts full-range RGB to BT.601 planes, with both chroma planes at half resolution. */
export function splitPlanes({ width, height, rgb }: Canvas, planes: Uint8Array): void {
  const blueAt = width * height;
  const redAt = blueAt + blueAt / 4;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      const red = rgb[pixel * 3] ?? 0;
      const green = rgb[pixel * 3 + 1] ?? 0;
      const blue = rgb[pixel * 3 + 2] ?? 0;
      planes[pixel] = (66 * red + 129 * green + 25 * blue + 4224) >> 8;
      if (((x | y) & 1) !== 0) continue;
      const half = (y >> 1) * (width >> 1) + (x >> 1);
      planes[blueAt + half] = (-38 * red - 74 * green + 112 * blue + 32_896) >> 8;
      planes[redAt + half] = (112 * red - 94 * green - 18 * blue + 32_896) >> 8;
    }
  }
}
