/** Turns a prompt and a seed into a scene: time of day, colors, land and building. */
import { createSeededRandom, hash, type Random } from '../../language/random.ts';
import { type Color, fromHsl } from './canvas.ts';

export type Land = 'hills' | 'mountains' | 'forest' | 'city' | 'waves';

export interface Scene {
  night: boolean;
  skyTop: Color;
  skyLow: Color;
  light: Color;
  ridges: Color[];
  building: Color;
  window: Color;
  land: Land;
  sun: { x: number; y: number; radius: number };
  waterLine: number;
  buildingAt: number;
  offset: number;
  stars: { x: number; y: number; brightness: number }[];
}

const HUES: readonly [RegExp, number][] = [
  [/\b(red|rose|fire|blood|brick|poppy|mars)/, 5],
  [/\b(orange|sunset|autumn|copper|rust|fox)/, 24],
  [/\b(yellow|gold|golden|desert|wheat|honey|lemon|sand)/, 44],
  [/\b(green|forest|grass|spring|moss|leaf|jungle|garden)/, 130],
  [/\b(teal|turquoise|lagoon|mint|aurora)/, 172],
  [/\b(blue|sea|ocean|river|ice|sky|water|winter|snow|rain)/, 212],
  [/\b(violet|purple|night|space|galaxy|lavender|magic)/, 265],
  [/\b(pink|blossom|cherry|candy|flamingo)/, 330],
];

const LANDS: readonly [RegExp, Land][] = [
  [/\b(city|town|street|skyline|tower|building|market|london|york|tokyo|paris|berlin)/, 'city'],
  [/\b(mountain|alps|peak|rock|snow|cliff|volcano)/, 'mountains'],
  [/\b(forest|tree|wood|jungle|pine|fox|bear|deer)/, 'forest'],
  [/\b(sea|ocean|wave|boat|ship|beach|whale|fish|surf|storm)/, 'waves'],
];

const NIGHT = /\b(night|moon|star|dark|midnight|dusk|space|galaxy|neon|lantern)/;
const DAY = /\b(day|morning|noon|sun|sunny|bright|summer|spring|snow)/;
const RIDGES = 4;

export function planScene(prompt: string, seed: string): Scene {
  const words = prompt.toLowerCase();
  const byWords = createSeededRandom('words', words);
  const bySeed = createSeededRandom('scene', words, seed);
  const hue = (findHint(HUES, words) ?? byWords() * 360) + (bySeed() - 0.5) * 24;
  const night = NIGHT.test(words) || (!DAY.test(words) && byWords() < 0.5);
  const land = findHint(LANDS, words) ?? pickLand(byWords);
  const accent = hue + (hash(words) % 2 === 0 ? 165 : 40);
  return {
    night,
    skyTop: fromHsl(hue + 12, 0.55, night ? 0.09 : 0.48),
    skyLow: fromHsl(accent, night ? 0.45 : 0.75, night ? 0.34 : 0.84),
    light: night ? fromHsl(50, 0.35, 0.92) : fromHsl(accent - 10, 0.95, 0.9),
    ridges: Array.from({ length: RIDGES }, (_, index) => {
      const near = index / (RIDGES - 1);
      const far = night ? 0.24 : 0.66;
      const close = night ? 0.06 : 0.24;
      return fromHsl(hue + near * 26 - 10, 0.3 + near * 0.22, far + (close - far) * near);
    }),
    building: fromHsl(hue + 8, 0.28, night ? 0.045 : 0.17),
    window: fromHsl(42, 0.95, night ? 0.66 : 0.72),
    land,
    sun: { x: 0.14 + bySeed() * 0.72, y: 0.16 + bySeed() * 0.3, radius: 0.045 + bySeed() * 0.04 },
    waterLine: 0.76 + bySeed() * 0.06,
    buildingAt: 0.2 + bySeed() * 0.6,
    offset: bySeed() * 10_000,
    stars: Array.from({ length: night ? 170 : 0 }, () => ({
      x: bySeed(),
      y: bySeed() ** 1.4,
      brightness: 0.25 + bySeed() * 0.75,
    })),
  };
}

function findHint<Hint>(hints: readonly [RegExp, Hint][], words: string): Hint | undefined {
  return hints.find(([pattern]) => pattern.test(words))?.[1];
}

function pickLand(random: Random): Land {
  const lands: readonly Land[] = ['hills', 'mountains', 'forest', 'city', 'waves'];
  return lands[Math.floor(random() * lands.length)] ?? 'hills';
}
