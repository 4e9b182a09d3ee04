import { describe, expect, test } from 'vitest';
import { type AudioPart, measureLoudness, sine, stereo } from './support/sine.ts';

describe('EBU Tech 3341, table 1 (https://tech.ebu.ch/publications/tech3341)', () => {
  const cases: [number, AudioPart[], number][] = [
    [1, [stereo(-23, 20)], -23],
    [2, [stereo(-33, 20)], -33],
    [3, [stereo(-36, 10), stereo(-23, 60), stereo(-36, 10)], -23],
    [4, [stereo(-72, 10), stereo(-36, 10), stereo(-23, 60), stereo(-36, 10), stereo(-72, 10)], -23],
    [5, [stereo(-26, 20), stereo(-20, 20.1), stereo(-26, 20)], -23],
    [6, [{ seconds: 20, dbfs: [-28, -28, -24, -30, -30] }], -23],
  ];

  test.each(cases)('measures case %i at 48 kHz', (_number, parts, expected) => {
    const loudness = measureLoudness(sine(parts, 48_000), 48_000);
    expect(Math.abs((loudness ?? 0) - expected)).toBeLessThan(0.1);
  });

  test.each([8000, 11_025, 16_000, 22_050, 24_000, 44_100])(
    'measures cases 1 and 5 at %i Hz',
    (rate) => {
      for (const [, parts] of [cases[0], cases[4]].flatMap((one) => (one ? [one] : []))) {
        expect(Math.abs((measureLoudness(sine(parts, rate), rate) ?? 0) + 23)).toBeLessThan(0.1);
      }
    },
  );
});
