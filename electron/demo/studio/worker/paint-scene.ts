/** Paints a scene with a still sky and moving land, gatehouse, water and boat. */
import { blend, type Canvas, type Color, createCanvas, fillBox, fillDisc, mix } from './canvas.ts';
import type { Land, Scene } from './plan-scene.ts';

export function paintSky(scene: Scene, width: number, height: number): Canvas {
  const sky = createCanvas(width, height);
  const horizon = height * scene.waterLine;
  for (let y = 0; y < height; y += 1) {
    sky.rgb.set(mix(scene.skyTop, scene.skyLow, (y / horizon) ** 1.25), y * width * 3);
    repeatPixel(sky.rgb, y * width * 3, width);
  }
  const side = Math.min(width, height);
  for (const { x, y, brightness } of scene.stars) {
    const size = side * 0.0016 * (1 + brightness);
    fillDisc(sky, [x * width, y * horizon, Math.max(1, size)], scene.light, brightness, 0);
  }
  const [sunX, sunY, radius] = [scene.sun.x * width, scene.sun.y * height, scene.sun.radius * side];
  fillDisc(sky, [sunX, sunY, radius * 9], scene.light, scene.night ? 0.35 : 0.6, 1);
  fillDisc(sky, [sunX, sunY, radius * 3], scene.light, scene.night ? 0.3 : 0.6, 1);
  fillDisc(sky, [sunX, sunY, radius], scene.light, 0.96, 0);
  return sky;
}

export function paintScene(canvas: Canvas, sky: Canvas, scene: Scene, seconds: number): void {
  canvas.rgb.set(sky.rgb);
  const { width, height } = canvas;
  const water = Math.round(height * scene.waterLine);
  scene.ridges.forEach((color, index) => {
    const near = index / (scene.ridges.length - 1);
    const base = water - height * 0.03 * (1 - near);
    const reach = height * (scene.land === 'mountains' ? 0.5 : 0.34) * (1 - near * 0.55);
    const drift = scene.offset + index * 57 + seconds * (0.01 + 0.035 * near);
    const tops = new Float32Array(width);
    for (let x = 0; x < width; x += 1) {
      tops[x] =
        base - reach * getRidgeHeight(scene.land, drift + x / height) - height * 0.03 * (1 - near);
    }
    fillBelow(canvas, tops, water, color, mix(color, scene.skyLow, 0.5 - near * 0.35));
  });
  paintGatehouse(canvas, scene, water);
  paintWater(canvas, scene, water, seconds);
  paintBoat(canvas, scene, water, seconds);
}

/** Fills land from its outline down to `bottom`, fading into mist. */
function fillBelow(
  { width, rgb }: Canvas,
  tops: Float32Array,
  bottom: number,
  color: Color,
  mist: Color,
): void {
  const highest = Math.max(
    0,
    Math.floor(tops.reduce((least, top) => Math.min(least, top), bottom)),
  );
  const solid = Math.ceil(tops.reduce((most, top) => Math.max(most, top), 0)) + 1;
  for (let y = highest; y < bottom; y += 1) {
    const [red, green, blue] = mix(color, mist, ((y - highest) / (bottom - highest)) ** 2);
    const start = y * width * 3;
    if (y >= solid) {
      rgb.set([red, green, blue], start);
      repeatPixel(rgb, start, width);
      continue;
    }
    for (let x = 0, at = start; x < width; x += 1, at += 3) {
      const cover = y + 0.5 - (tops[x] ?? 0);
      if (cover <= 0) continue;
      const share = cover >= 1 ? 1 : cover;
      const rest = 1 - share;
      rgb[at] = red * share + (rgb[at] ?? 0) * rest + 0.5;
      rgb[at + 1] = green * share + (rgb[at + 1] ?? 0) * rest + 0.5;
      rgb[at + 2] = blue * share + (rgb[at + 2] ?? 0) * rest + 0.5;
    }
  }
}

/** Fills a row with its first pixel, doubling the filled part at each step. */
function repeatPixel(rgb: Uint8Array, start: number, width: number): void {
  const end = start + width * 3;
  for (let size = 3; start + size < end; size *= 2) {
    rgb.copyWithin(start + size, start, Math.min(start + size, end - size));
  }
}

function paintGatehouse(canvas: Canvas, scene: Scene, ground: number): void {
  const unit = Math.max(1, Math.min(canvas.width, canvas.height) / 46);
  const left = canvas.width * scene.buildingAt - unit * 5.5;
  const box = (x: number, up: number, wide: number, high: number, color: Color) =>
    fillBox(
      canvas,
      [left + x * unit, ground - (up + high) * unit, left + (x + wide) * unit, ground - up * unit],
      color,
    );
  box(0, 0, 11, 7, scene.building);
  for (const tower of [-0.6, 8.6]) {
    box(tower, 0, 3, 10.5, scene.building);
    for (const merlon of [0, 1.1, 2.2]) box(tower + merlon, 10.5, 0.8, 0.9, scene.building);
    box(tower + 1.2, 7, 0.6, 1.5, scene.window);
  }
  for (const merlon of [3, 4.6, 6.2, 7.4]) box(merlon, 7, 0.8, 0.8, scene.building);
  box(4.2, 0, 2.6, 3.2, scene.window);
  const arch = [left + 5.5 * unit, ground - 3.2 * unit, 1.3 * unit] as const;
  fillDisc(canvas, arch, scene.window, 1, 0);
  fillDisc(canvas, [arch[0], arch[1], unit * 9], scene.window, scene.glow, 1);
}

/** Mirrors the area above the waterline, darkened and distorted by ripples. */
function paintWater(
  { width, height, rgb }: Canvas,
  scene: Scene,
  line: number,
  seconds: number,
): void {
  const depth = height - line;
  const [red, green, blue] = mix(scene.skyTop, scene.ridges[0] ?? scene.skyTop, 0.4);
  for (let y = line; y < height; y += 1) {
    const near = (y - line) / depth;
    const source = Math.max(0, line - 1 - Math.round((y - line) * 1.6));
    const ripple = Math.sin(y * (0.9 - near * 0.55) + seconds * 3.1);
    const bend = Math.round(ripple * (0.4 + near * width * 0.005));
    const tint = 0.28 + near * 0.3 + 0.05 * Math.sin(y * 0.35 - seconds * 2);
    let at = y * width * 3;
    for (let x = 0; x < width; x += 1, at += 3) {
      const column = Math.min(width - 1, Math.max(0, x + bend));
      const from = (source * width + column) * 3;
      rgb[at] = (rgb[from] ?? 0) * (1 - tint) + red * tint;
      rgb[at + 1] = (rgb[from + 1] ?? 0) * (1 - tint) + green * tint;
      rgb[at + 2] = (rgb[from + 2] ?? 0) * (1 - tint) + blue * tint;
    }
  }
}

function paintBoat(canvas: Canvas, scene: Scene, line: number, seconds: number): void {
  const { width, height } = canvas;
  const unit = Math.max(1, Math.min(width, height) / 60);
  const x = (((scene.sun.x + 0.35 + seconds * 0.05) % 1.2) - 0.1) * width;
  const y = line + (height - line) * 0.5 + Math.sin(seconds * 1.7) * unit * 0.15;
  for (let row = 0; row < unit * 1.2; row += 1) {
    const inset = row * 0.9;
    fillBox(
      canvas,
      [x - unit * 3 + inset, y + row, x + unit * 3 - inset, y + row + 1],
      scene.building,
    );
  }
  fillBox(canvas, [x - unit * 0.1, y - unit * 4.4, x + unit * 0.15, y], scene.building);
  for (let row = 0; row < unit * 3.8; row += 1) {
    const reach = row * 0.62;
    for (let column = 0; column < reach; column += 1) {
      blend(
        canvas,
        Math.round(x + unit * 0.3 + column),
        Math.round(y - unit * 4.2 + row),
        scene.light,
        0.85,
      );
    }
  }
}

/** Returns a height from 0 to 1; one unit of `place` is about one image height. */
export function getRidgeHeight(land: Land, place: number): number {
  switch (land) {
    case 'hills':
      return 0.7 * noise(place * 1.3) + 0.3 * noise(place * 3.7 + 40);
    case 'mountains':
      return 0.62 * sharp(place * 1.5) + 0.26 * sharp(place * 4 + 9) + 0.12 * noise(place * 14);
    case 'forest':
      return 0.45 * noise(place * 1.6) + 0.35 * trees(place * 11) + 0.2 * trees(place * 23 + 5);
    case 'city':
      return (
        0.15 + 0.6 * steps(place * 7) * (0.5 + 0.5 * noise(place * 0.9)) + 0.25 * steps(place * 3)
      );
    case 'waves':
      return 0.3 * noise(place * 0.8) + 0.12 * (1 + Math.sin(place * 9 + 3 * noise(place * 2)));
  }
}

/** Returns smooth value noise from 0 to 1. */
function noise(place: number): number {
  const cell = Math.floor(place);
  const part = place - cell;
  const eased = part * part * (3 - 2 * part);
  return lattice(cell) * (1 - eased) + lattice(cell + 1) * eased;
}

function sharp(place: number): number {
  return 1 - Math.abs(2 * noise(place) - 1);
}

function trees(place: number): number {
  const cell = Math.floor(place);
  return (1 - Math.abs(2 * (place - cell) - 1)) * (0.45 + 0.55 * lattice(cell));
}

function steps(place: number): number {
  return lattice(Math.floor(place));
}

function lattice(cell: number): number {
  let mixed = Math.imul(cell | 0, 0x27d4eb2d) ^ 0x165667b1;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 4_294_967_296;
}
