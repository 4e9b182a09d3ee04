/** Turns a prompt and a seed into a scene: time of day, style, colors, land and building. */
import { createSeededRandom, hash, type Random } from '../../language/random.ts';
import { type Color, toColor } from './canvas.ts';

export type Land = 'hills' | 'mountains' | 'forest' | 'city' | 'waves';

type Time = 'dawn' | 'day' | 'evening' | 'night';
export type Style = 'painting' | 'sketch' | 'woodcut' | 'gouache' | 'watercolor' | 'ink' | 'pixels';

export interface Scene {
  night: boolean;
  style: Style;
  /** How far the windows light their surroundings, from 0 to 1. */
  glow: number;
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
  [/\b(yellow|gold|golden|desert|wheat|honey|lemon|sand|beach)/, 44],
  [/\b(green|forest|grass|spring|moss|leaf|jungle|garden)/, 130],
  [/\b(teal|turquoise|lagoon|mint|aurora)/, 172],
  [/\b(blue|sea|ocean|river|ice|sky|water|winter|snow|rain)/, 212],
  [/\b(violet|purple|night|space|galaxy|lavender|magic)/, 265],
  [/\b(pink|blossom|cherry|candy|flamingo)/, 330],
];

const LANDS: readonly [RegExp, Land][] = [
  [/\b(hill|meadow|field|valley|moor|vineyard)/, 'hills'],
  [/\b(city|town|street|skyline|tower|building|market|london|york|tokyo|paris|berlin)/, 'city'],
  [/\b(mountain|alps|peak|rock|snow|cliff|volcano)/, 'mountains'],
  [/\b(forest|tree|wood|jungle|pine|fox|bear|deer)/, 'forest'],
  [/\b(sea|ocean|wave|harbor|boat|ship|beach|whale|fish|surf|storm)/, 'waves'],
];

/** The time that a prompt mentions first counts; day comes last, because “sunset” contains “sun”. */
const TIMES: readonly [RegExp, Time][] = [
  [/\b(dawn|sunrise|daybreak|first light)/, 'dawn'],
  [/\b(evening|sunset|dusk|twilight|golden hour)/, 'evening'],
  [/\b(night|moon|stars?\b|starry|starlit|dark|midnight|galaxy|neon|lantern)/, 'night'],
  [/\b(day|morning|noon|midday|afternoon|sun)/, 'day'],
];

/** Words that suggest a time if the prompt names none. */
const TIME_HINTS: readonly [RegExp, Time][] = [
  [/\b(space|planet|candle|campfire|fireworks|ghost)/, 'night'],
  [/\b(bright|light|white|summer|spring|snow|beach|photo|product|portrait|icon|logo)/, 'day'],
];

const STYLES: readonly [RegExp, Style][] = [
  [/\b(woodcut|woodblock|linocut|engraving|etching)/, 'woodcut'],
  [/\b(gouache|poster|flat|vector|papercut|paper cut)/, 'gouache'],
  [/\b(watercolou?r|aquarelle)/, 'watercolor'],
  [/\b(pencil|sketch|charcoal|drawing)/, 'sketch'],
  [/\b(ink|black[- ]and[- ]white|monochrome|noir)/, 'ink'],
  [/\b(pixel|8-bit|16-bit)/, 'pixels'],
];

const RIDGES = 4;

export function planScene(prompt: string, seed: string): Scene {
  const words = prompt.toLowerCase();
  const byWords = createSeededRandom('words', words);
  const bySeed = createSeededRandom('scene', words, seed);
  const hue = (findHint(HUES, words) ?? byWords() * 360) + (bySeed() - 0.5) * 24;
  const time =
    findFirst(TIMES, words) ?? findHint(TIME_HINTS, words) ?? (byWords() < 0.5 ? 'night' : 'day');
  const land = findHint(LANDS, words) ?? pickLand(byWords);
  const accent = hue + (hash(words) % 2 === 0 ? 165 : 40);
  const { top, low, light, far, near: close, glow } = getLight(time, hue, accent);
  const night = time === 'night';
  const isLow = time === 'dawn' || time === 'evening';
  return {
    night,
    style: findHint(STYLES, words) ?? 'painting',
    glow,
    skyTop: top,
    skyLow: low,
    light,
    ridges: Array.from({ length: RIDGES }, (_, index) => {
      const near = index / (RIDGES - 1);
      return toColor(hue + near * 26 - 10, 0.3 + near * 0.22, far + (close - far) * near);
    }),
    building: toColor(hue + 8, 0.28, night ? 0.045 : isLow ? 0.1 : 0.17),
    window: toColor(42, 0.95, night ? 0.66 : 0.72),
    land,
    sun: {
      x: 0.14 + bySeed() * 0.72,
      y: (isLow ? 0.42 : 0.16) + bySeed() * (isLow ? 0.12 : 0.3),
      radius: 0.045 + bySeed() * 0.04,
    },
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

interface Light {
  top: Color;
  low: Color;
  light: Color;
  /** The lightness of the farthest and the nearest land. */
  far: number;
  near: number;
  glow: number;
}

function getLight(time: Time, hue: number, accent: number): Light {
  switch (time) {
    case 'dawn':
      return {
        top: toColor(216, 0.42, 0.66),
        low: toColor(14, 0.86, 0.84),
        light: toColor(38, 0.95, 0.92),
        far: 0.68,
        near: 0.22,
        glow: 0.24,
      };
    case 'evening':
      return {
        top: toColor(256, 0.36, 0.34),
        low: toColor(26, 0.94, 0.64),
        light: toColor(42, 1, 0.82),
        far: 0.46,
        near: 0.13,
        glow: 0.3,
      };
    case 'night':
      return {
        top: toColor(hue + 12, 0.55, 0.09),
        low: toColor(accent, 0.45, 0.34),
        light: toColor(50, 0.35, 0.92),
        far: 0.24,
        near: 0.06,
        glow: 0.4,
      };
    case 'day':
      return {
        top: toColor(208, 0.52, 0.56),
        low: toColor(196, 0.6, 0.86),
        light: toColor(50, 0.95, 0.93),
        far: 0.66,
        near: 0.24,
        glow: 0.16,
      };
  }
}

/** Returns the hint whose word comes first. */
function findFirst<Hint>(hints: readonly [RegExp, Hint][], words: string): Hint | undefined {
  const found = hints.flatMap(([pattern, hint]) => {
    const at = words.search(pattern);
    return at < 0 ? [] : [{ at, hint }];
  });
  return found.toSorted((one, other) => one.at - other.at)[0]?.hint;
}

function findHint<Hint>(hints: readonly [RegExp, Hint][], words: string): Hint | undefined {
  return hints.find(([pattern]) => pattern.test(words))?.[1];
}

function pickLand(random: Random): Land {
  const lands: readonly Land[] = ['hills', 'mountains', 'forest', 'city', 'waves'];
  return lands[Math.floor(random() * lands.length)] ?? 'hills';
}
