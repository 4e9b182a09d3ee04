/** Speech as over a telephone: 300 to 3,400 Hz, in the steps of G.711 µ-law (https://www.itu.int/rec/T-REC-G.711), and quiet. */
import { SPEECH_SAMPLE_RATE } from './sound-encoder.ts';

const LOWEST_HZ = 300;
const HIGHEST_HZ = 3400;
const MU = 255;
/** Of each sign. */
const STEPS = 127;
const LOUDNESS = 0.8;

export function applyPhoneFilter(samples: Int16Array): Int16Array {
  const filters = [
    createFilter('high', LOWEST_HZ),
    createFilter('low', HIGHEST_HZ),
    createFilter('low', HIGHEST_HZ),
  ];
  return samples.map((sample) => {
    const filtered = filters.reduce((value, filter) => filter(value), sample / 32_768);
    const clipped = Math.max(-1, Math.min(1, filtered));
    return Math.round(inSteps(clipped) * LOUDNESS * 32_767);
  });
}

/** Fine steps where it is quiet, coarse ones where it is loud. */
function inSteps(value: number): number {
  const companded = Math.log1p(MU * Math.abs(value)) / Math.log1p(MU);
  const step = Math.round(companded * STEPS) / STEPS;
  return (Math.sign(value) * Math.expm1(step * Math.log1p(MU))) / MU;
}

/** Lets pass what is higher or lower, 12 dB an octave (https://www.w3.org/TR/audio-eq-cookbook/). */
function createFilter(pass: 'high' | 'low', cornerHz: number): (value: number) => number {
  const turn = (2 * Math.PI * cornerHz) / SPEECH_SAMPLE_RATE;
  const cosine = Math.cos(turn);
  const width = Math.sin(turn) / Math.SQRT2;
  const sign = pass === 'high' ? 1 : -1;
  const outer = (1 + sign * cosine) / 2 / (1 + width);
  const middle = -sign * 2 * outer;
  const [firstBack, secondBack] = [(-2 * cosine) / (1 + width), (1 - width) / (1 + width)];
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return (value) => {
    const result =
      outer * value + middle * in1 + outer * in2 - firstBack * out1 - secondBack * out2;
    [in1, in2, out1, out2] = [value, in1, result, out1];
    return result;
  };
}
