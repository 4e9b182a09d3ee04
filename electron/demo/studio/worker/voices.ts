/** The six voices of the interface, made of the synthesizer's three by raising or lowering them. */
import { hash } from '../../language/random.ts';

export interface Voice {
  /** A voice inside the synthesizer: a woman, a man, a Scottish man. */
  base: 'slt' | 'rms' | 'awb';
  /** Above 1 the voice is higher and its speaker smaller. */
  shift: number;
}

const VOICES: Readonly<Record<string, Voice>> = {
  alloy: { base: 'slt', shift: 0.9 },
  echo: { base: 'rms', shift: 1.04 },
  fable: { base: 'awb', shift: 1 },
  onyx: { base: 'rms', shift: 0.84 },
  nova: { base: 'slt', shift: 1.02 },
  shimmer: { base: 'slt', shift: 1.18 },
};

/** Any other name gets its own voice, always the same. */
export function findVoice(name: string): Voice {
  const known = Object.hasOwn(VOICES, name) ? VOICES[name] : undefined;
  if (known !== undefined) return known;
  const number = hash(name);
  const base = (['slt', 'rms', 'awb'] as const)[number % 3] ?? 'slt';
  return { base, shift: 0.86 + ((number >>> 8) % 33) / 100 };
}
