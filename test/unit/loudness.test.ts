import { describe, expect, test } from 'vitest';
import {
  createLoudnessMeter,
  highPassCoefficients,
  matchLoudness,
  shelfCoefficients,
} from '../../shared/loudness.ts';

/** A section of audio with one sine per channel, whose peaks are in `dbfs`. */
interface Part {
  seconds: number;
  dbfs: readonly number[];
}

function sine(parts: readonly Part[], sampleRate: number, hertz = 1000): Float32Array[] {
  const channelCount = parts[0]?.dbfs.length ?? 0;
  const lengths = parts.map(({ seconds }) => Math.round(seconds * sampleRate));
  const length = lengths.reduce((sum, one) => sum + one, 0);
  return Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(length);
    let at = 0;
    for (const [index, { dbfs }] of parts.entries()) {
      const peak = 10 ** ((dbfs[channel] ?? -200) / 20);
      for (const end = at + (lengths[index] ?? 0); at < end; at += 1) {
        samples[at] = peak * Math.sin((2 * Math.PI * hertz * at) / sampleRate);
      }
    }
    return samples;
  });
}

function measure(channels: readonly Float32Array[], sampleRate: number): number | null {
  const meter = createLoudnessMeter(sampleRate, channels.length);
  meter.add(channels);
  return meter.finish();
}

const stereo = (dbfs: number, seconds: number): Part => ({ seconds, dbfs: [dbfs, dbfs] });

describe('EBU Tech 3341, table 1 (https://tech.ebu.ch/publications/tech3341)', () => {
  const cases: [number, Part[], number][] = [
    [1, [stereo(-23, 20)], -23],
    [2, [stereo(-33, 20)], -33],
    [3, [stereo(-36, 10), stereo(-23, 60), stereo(-36, 10)], -23],
    [4, [stereo(-72, 10), stereo(-36, 10), stereo(-23, 60), stereo(-36, 10), stereo(-72, 10)], -23],
    [5, [stereo(-26, 20), stereo(-20, 20.1), stereo(-26, 20)], -23],
    [6, [{ seconds: 20, dbfs: [-28, -28, -24, -30, -30] }], -23],
  ];

  test.each(cases)('measures case %i at 48 kHz', (_number, parts, expected) => {
    const loudness = measure(sine(parts, 48_000), 48_000);
    expect(Math.abs((loudness ?? 0) - expected)).toBeLessThan(0.1);
  });

  test.each([8000, 11_025, 16_000, 22_050, 24_000, 44_100])(
    'measures cases 1 and 5 at %i Hz',
    (rate) => {
      for (const [, parts] of [cases[0], cases[4]].flatMap((one) => (one ? [one] : []))) {
        expect(Math.abs((measure(sine(parts, rate), rate) ?? 0) + 23)).toBeLessThan(0.1);
      }
    },
  );
});

describe('ITU-R BS.1770-4, annex 1', () => {
  test('computes the coefficients of tables 1 and 2 at 48 kHz', () => {
    const expected = {
      ...{ b0: 1.53512485958697, b1: -2.69169618940638, b2: 1.19839281085285 },
      ...{ a1: -1.69065929318241, a2: 0.73248077421585 },
    };
    const close = (values: object) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, expect.closeTo(value, 12)]),
      );
    expect(shelfCoefficients(48_000)).toMatchObject(close(expected));
    const pass = {
      b0: 1,
      b1: -2,
      b2: 1,
      ...close({ a1: -1.99004745483398, a2: 0.99007225036621 }),
    };
    expect(highPassCoefficients(48_000)).toMatchObject(pass);
  });

  test('measures a full-scale sine of 997 Hz in one front channel at -3.01 LKFS', () => {
    expect(measure(sine([{ seconds: 2, dbfs: [0] }], 48_000, 997), 48_000)).toBeCloseTo(-3.01, 2);
    const left = sine([{ seconds: 2, dbfs: [0, -200] }], 48_000, 997);
    expect(measure(left, 48_000)).toBeCloseTo(-3.01, 2);
  });

  test('ignores the low-frequency channel of six channels', () => {
    const six = sine([{ seconds: 2, dbfs: [-28, -28, -24, 0, -30, -30] }], 48_000);
    expect(measure(six, 48_000)).toBeCloseTo(-23, 1);
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
  expect(meter.finish()).toBeCloseTo(measure([whole], 44_100) ?? 0, 9);
});

test.each([
  ['silence', [new Float32Array(48_000)]],
  ['very quiet audio', sine([stereo(-90, 2)], 48_000)],
  ['less than a block', sine([stereo(-20, 0.39)], 48_000)],
  ['invalid samples', [new Float32Array(48_000).fill(Number.NaN)]],
])('returns null for %s', (_what, channels) => {
  expect(measure(channels, 48_000)).toBeNull();
  expect(measure(sine([stereo(-20, 0.4)], 48_000), 48_000)).not.toBeNull();
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
