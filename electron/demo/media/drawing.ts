/** Draws the demo gateway's picture: a gatehouse at a river by night, varied by a seed. */
import { seededRandom } from '../language/random.ts';
import type { IndexedPicture } from './png.ts';

const SKY_COLOURS = 24;
const WALL = SKY_COLOURS;
const WINDOW = WALL + 1;
const STAR = WALL + 2;
const WATER = WALL + 3;
const WATER_COLOURS = 12;

export function drawGatehouse(width: number, height: number, seed: string): IndexedPicture {
  const random = seededRandom('picture', seed);
  const hue = random() * 360;
  const horizon = Math.round(height * (0.62 + random() * 0.1));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const colour =
      y < horizon
        ? Math.floor((y / horizon) * SKY_COLOURS)
        : WATER + Math.floor(((y - horizon) / (height - horizon)) * WATER_COLOURS);
    pixels.fill(colour, y * width, (y + 1) * width);
  }
  const fill = (left: number, top: number, right: number, bottom: number, colour: number) => {
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1) {
      pixels.fill(colour, y * width + Math.max(0, left), y * width + Math.min(width, right));
    }
  };
  const unit = Math.max(1, Math.round(Math.min(width, height) / 40));
  for (let star = 0; star < 40; star += 1) {
    const x = Math.floor(random() * width);
    const y = Math.floor(random() * horizon * 0.7);
    fill(x, y, x + Math.ceil(unit / 4), y + Math.ceil(unit / 4), STAR);
  }
  const left = Math.round(width * (0.2 + random() * 0.4));
  const top = horizon - unit * 12;
  fill(left, top, left + unit * 9, horizon, WALL);
  for (let merlon = 0; merlon < 9; merlon += 2) {
    fill(left + merlon * unit, top - unit, left + (merlon + 1) * unit, top, WALL);
  }
  fill(left + unit * 2, top + unit * 2, left + unit * 3, top + unit * 4, WINDOW);
  fill(left + unit * 6, top + unit * 2, left + unit * 7, top + unit * 4, WINDOW);
  fill(left + unit * 3, horizon - unit * 5, left + unit * 6, horizon, WINDOW);
  return { width, height, palette: makePalette(hue), pixels };
}

function makePalette(hue: number): [number, number, number][] {
  const sky = Array.from({ length: SKY_COLOURS }, (_, index) =>
    fromHsl(hue + index * 2, 0.5, 0.1 + (index / SKY_COLOURS) * 0.4),
  );
  const water = Array.from({ length: WATER_COLOURS }, (_, index) =>
    fromHsl(hue + 30, 0.45, 0.3 - (index / WATER_COLOURS) * 0.2),
  );
  return [...sky, fromHsl(hue, 0.2, 0.08), fromHsl(45, 0.9, 0.65), [245, 240, 220], ...water];
}

function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    const level = lightness - chroma * Math.max(-1, Math.min(position - 3, 9 - position, 1));
    return Math.round(level * 255);
  };
  return [channel(0), channel(8), channel(4)];
}
