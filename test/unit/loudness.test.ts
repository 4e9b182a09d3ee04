import { describe, expect, test } from 'vitest';
import {
  computeHighPassCoefficients,
  computeShelfCoefficients,
  createLoudnessMeter,
  matchLoudness,
} from '../../shared/loudness.ts';
import { measureLoudness, sine, stereo } from './support/sine.ts';

test.each([8000, 48_000])(
  'measures case 1 of EBU Tech 3341, table 1 (https://tech.ebu.ch/publications/tech3341) at %i Hz',
  (rate) => {
    expect(measureLoudness(sine([stereo(-23, 20)], rate), rate)).toBeCloseTo(-23, 1);
  },
);

describe('ITU-R BS.1770-4, annex 1', () => {
  test('computes the coefficients of tables 1 and 2 at 48 kHz', () => {
    const expected = {
      b0: 1.53512485958697,
      b1: -2.69169618940638,
      b2: 1.19839281085285,
      a1: -1.69065929318241,
      a2: 0.73248077421585,
    };
    const close = (values: object) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, expect.closeTo(value, 12)]),
      );
    expect(computeShelfCoefficients(48_000)).toMatchObject(close(expected));
    const pass = {
      b0: 1,
      b1: -2,
      b2: 1,
      ...close({ a1: -1.99004745483398, a2: 0.99007225036621 }),
    };
    expect(computeHighPassCoefficients(48_000)).toMatchObject(pass);
  });

  test('measures a full-scale sine of 997 Hz in one front channel at -3.01 LKFS', () => {
    expect(measureLoudness(sine([{ seconds: 2, dbfs: [0] }], 48_000, 997), 48_000)).toBeCloseTo(
      -3.01,
      2,
    );
    const left = sine([{ seconds: 2, dbfs: [0, -200] }], 48_000, 997);
    expect(measureLoudness(left, 48_000)).toBeCloseTo(-3.01, 2);
  });

  test('ignores the low-frequency channel of six channels', () => {
    const six = sine([{ seconds: 2, dbfs: [-28, -28, -24, 0, -30, -30] }], 48_000);
    expect(measureLoudness(six, 48_000)).toBeCloseTo(-23, 1);
  });
});

test('measures the same loudness however the audio is chunked', () => {
  const [whole = new Float32Array()] = sine([stereo(-20, 3)], 44_100, 440);
  const meter = createLoudnessMeter(44_100, 1);
  for (let at = 0; at < whole.length; ) {
    const length = 1 + ((at * 7) % 5000);
    meter.add([whole.subarray(at, at + length)]);
    at += length;
  }
  expect(meter.finish()).toBeCloseTo(measureLoudness([whole], 44_100) ?? 0, 9);
});

test.each([
  ['silence', [new Float32Array(48_000)]],
  ['very quiet audio', sine([stereo(-90, 2)], 48_000)],
  ['less than a block', sine([stereo(-20, 0.39)], 48_000)],
  ['invalid samples', [new Float32Array(48_000).fill(Number.NaN)]],
])('returns null for %s', (_what, channels) => {
  expect(measureLoudness(channels, 48_000)).toBeNull();
  expect(measureLoudness(sine([stereo(-20, 0.4)], 48_000), 48_000)).not.toBeNull();
  expect(createLoudnessMeter(48_000, 2).finish()).toBeNull();
});

test('matches all audio to the quietest, and counts mono as two channels', () => {
  const [loud, quiet, mono, unknown] = matchLoudness([
    { loudness: -14, channelCount: 2 },
    { loudness: -20, channelCount: 2 },
    { loudness: -20, channelCount: 1 },
    { loudness: null, channelCount: 1 },
  ]);
  expect(loud).toBeCloseTo(10 ** (-6 / 20), 9);
  expect(quiet).toBe(1);
  expect(mono).toBeCloseTo(Math.SQRT1_2, 9);
  expect(unknown).toBe(1);
  expect(matchLoudness([{ loudness: null, channelCount: 2 }])).toEqual([1]);
});
