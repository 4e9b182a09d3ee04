/**
 * Measures loudness by EBU R 128 (https://tech.ebu.ch/publications/r128) and ITU-R BS.1770-4, annex
 * 1 (https://www.itu.int/rec/R-REC-BS.1770-4-201510-S/en).
 */

export interface LoudnessMeter {
  /** All channels need the same number of samples, from -1 to 1. */
  add(channels: readonly Float32Array[]): void;
  /** Returns LUFS; null for silence, invalid samples or less than 400 ms of audio. */
  finish(): number | null;
}

/** Channels use WAV order: five are L R C Ls Rs, and the fourth of six is the LFE. */
export function createLoudnessMeter(sampleRate: number, channelCount: number): LoudnessMeter {
  const stepLength = Math.round(sampleRate * STEP_SECONDS);
  const weighings = getChannelWeights(channelCount).map((weight) => ({
    weight,
    filter: createKWeighting(sampleRate),
  }));
  const steps: number[] = [];
  let inStep = 0;
  let energy = 0;

  return {
    add(channels: readonly Float32Array[]): void {
      const length = channels[0]?.length ?? 0;
      for (let at = 0; at < length; ) {
        const end = Math.min(length, at + stepLength - inStep);
        for (const [index, { weight, filter }] of weighings.entries()) {
          const samples = channels[index];
          if (weight > 0 && samples !== undefined) energy += weight * filter(samples, at, end);
        }
        inStep += end - at;
        at = end;
        if (inStep < stepLength) continue;
        steps.push(energy / stepLength);
        inStep = 0;
        energy = 0;
      }
    },
    finish: () => measureGatedLoudness(steps),
  };
}

/**
 * Lowers loud audio to avoid clipping; mono counts as 3 LU louder, because two speakers play it.
 */
export function matchLoudness(
  tracks: readonly { loudness: number | null; channelCount: number }[],
): number[] {
  const heard = tracks.map(({ loudness, channelCount }) =>
    loudness !== null && channelCount === 1 ? loudness + 10 * Math.log10(2) : loudness,
  );
  const quietest = heard.reduce<number>(
    (least, loudness) => Math.min(least, loudness ?? least),
    Number.POSITIVE_INFINITY,
  );
  return heard.map((loudness) => (loudness === null ? 1 : 10 ** ((quietest - loudness) / 20)));
}

const STEP_SECONDS = 0.1;
const STEPS_IN_BLOCK = 4;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power);
}

/** Ignores an incomplete last block. */
function measureGatedLoudness(steps: readonly number[]): number | null {
  const blocks: number[] = [];
  for (let end = STEPS_IN_BLOCK; end <= steps.length; end += 1) {
    blocks.push(computeMean(steps.slice(end - STEPS_IN_BLOCK, end)));
  }
  const audible = blocks.filter((power) => toLufs(power) > ABSOLUTE_GATE_LUFS);
  const gate = toLufs(computeMean(audible)) + RELATIVE_GATE_LU;
  const loudness = toLufs(computeMean(audible.filter((power) => toLufs(power) > gate)));
  return Number.isFinite(loudness) ? loudness : null;
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** BS.1770 adds 1.5 dB to surround channels and ignores the LFE channel. */
function getChannelWeights(channelCount: number): number[] {
  if (channelCount === 5) return [1, 1, 1, 1.41, 1.41];
  if (channelCount === 6) return [1, 1, 1, 0, 1.41, 1.41];
  return Array.from({ length: channelCount }, () => 1);
}

/** Filters samples in [start, end), continuing from the last call; returns the sum of squares. */
type PowerFilter = (samples: Float32Array, start: number, end: number) => number;

/** K-weighting is a shelf filter that models the head, followed by a high-pass filter. */
function createKWeighting(sampleRate: number): PowerFilter {
  const shelf = computeShelfCoefficients(sampleRate);
  const pass = computeHighPassCoefficients(sampleRate);
  let [one, two, three, four] = [0, 0, 0, 0];
  return (samples, start, end) => {
    let sum = 0;
    for (let at = start; at < end; at += 1) {
      const sample = samples[at] ?? 0;
      const shelved = shelf.b0 * sample + one;
      one = shelf.b1 * sample - shelf.a1 * shelved + two;
      two = shelf.b2 * sample - shelf.a2 * shelved;
      const passed = pass.b0 * shelved + three;
      three = pass.b1 * shelved - pass.a1 * passed + four;
      four = pass.b2 * shelved - pass.a2 * passed;
      sum += passed * passed;
    }
    return sum;
  };
}

interface FilterCoefficients {
  b0: number;
  b1: number;
  b2: number;
  a1: number;
  a2: number;
}

/**
 * Uses libebur128's formulas (https://github.com/jiixyj/libebur128/blob/master/ebur128/ebur128.c), because
 * BS.1770 lists only 48 kHz coefficients.
 */
export function computeShelfCoefficients(sampleRate: number): FilterCoefficients {
  const quality = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const a0 = 1 + k / quality + k * k;
  return {
    b0: (high + (band * k) / quality + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / quality + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / quality + k * k) / a0,
  };
}

export function computeHighPassCoefficients(sampleRate: number): FilterCoefficients {
  const quality = 0.5003270373238773;
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const a0 = 1 + k / quality + k * k;
  return {
    b0: 1,
    b1: -2,
    b2: 1,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / quality + k * k) / a0,
  };
}
