/** Builds and encodes the waveform peaks of an audio file. */

export interface MediaPeaks {
  durationSeconds: number;
  /** The highest and lowest samples, from -1 to 1, of segments of equal length. */
  max: number[];
  min: number[];
}

/** The stored and uploaded format: pairs of 16-bit minimum and maximum samples. */
export interface PeakTable {
  durationSeconds: number;
  pairs: Int16Array;
}

/** Wider than any page, yet a table stays under 132 kB. */
export const MAX_PEAK_PAIRS = 32_768;

const MAGIC = 0x47504b31;
const HEADER_BYTES = 12;

export function encodePeaks({ durationSeconds, pairs }: PeakTable): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + pairs.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setFloat64(4, durationSeconds);
  for (const [index, value] of pairs.entries()) {
    view.setInt16(HEADER_BYTES + index * 2, value, true);
  }
  return bytes;
}

/** Returns null if the bytes aren't in the format of `encodePeaks`. */
export function decodePeaks(bytes: Uint8Array): PeakTable | null {
  const pairBytes = bytes.byteLength - HEADER_BYTES;
  if (pairBytes <= 0 || pairBytes % 4 !== 0 || pairBytes > MAX_PEAK_PAIRS * 4) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const durationSeconds = view.getFloat64(4);
  if (view.getUint32(0) !== MAGIC || !(durationSeconds >= 0 && durationSeconds < 1e9)) return null;
  const pairs = new Int16Array(pairBytes / 2);
  for (let index = 0; index < pairs.length; index += 1) {
    pairs[index] = view.getInt16(HEADER_BYTES + index * 2, true);
  }
  return { durationSeconds, pairs };
}

/** Merges segments until there are at most `points`, keeping their extremes. */
export function toMediaPeaks({ durationSeconds, pairs }: PeakTable, points: number): MediaPeaks {
  const available = pairs.length / 2;
  const count = Math.min(points, available);
  const max: number[] = [];
  const min: number[] = [];
  for (let point = 0; point < count; point += 1) {
    const end = Math.ceil(((point + 1) * available) / count);
    let lowest = 32_767;
    let highest = -32_768;
    for (let pair = Math.floor((point * available) / count); pair < end; pair += 1) {
      lowest = Math.min(lowest, pairs[pair * 2] ?? 0);
      highest = Math.max(highest, pairs[pair * 2 + 1] ?? 0);
    }
    max.push(toUnit(highest));
    min.push(toUnit(lowest));
  }
  return { durationSeconds, max, min };
}

/** Four digits are finer than any screen and keep the JSON short. */
function toUnit(sample: number): number {
  return Math.round((sample / 32_768) * 10_000) / 10_000;
}

/** Starts with 16 samples per pair, and halves the table whenever it is full. */
const FIRST_STRETCH = 16;

export interface PeakBuilder {
  /** Adds the lowest and highest sample across all channels, from -32768 to 32767. */
  add(low: number, high: number): void;
  /** Returns the peaks so far; more samples may follow. */
  soFar(sampleRate: number): PeakTable;
  /** Returns all peaks; `sampleRate` is in hertz. */
  finish(sampleRate: number): PeakTable;
}

export function createPeakBuilder(): PeakBuilder {
  const pairs = new Int16Array(MAX_PEAK_PAIRS * 2);
  let count = 0;
  let stretch = FIRST_STRETCH;
  let moments = 0;
  let inStretch = 0;
  let lowest = 32_767;
  let highest = -32_768;

  function close(): void {
    pairs[count * 2] = Math.max(lowest, -32_768);
    pairs[count * 2 + 1] = Math.min(highest, 32_767);
    count += 1;
    inStretch = 0;
    lowest = 32_767;
    highest = -32_768;
    if (count === MAX_PEAK_PAIRS) halve();
  }

  function halve(): void {
    for (let to = 0; to < count / 2; to += 1) {
      const from = to * 4;
      pairs[to * 2] = Math.min(pairs[from] ?? 0, pairs[from + 2] ?? 0);
      pairs[to * 2 + 1] = Math.max(pairs[from + 1] ?? 0, pairs[from + 3] ?? 0);
    }
    count /= 2;
    stretch *= 2;
  }

  function getTable(sampleRate: number): PeakTable {
    return { durationSeconds: moments / sampleRate, pairs: pairs.slice(0, count * 2) };
  }

  return {
    add(low: number, high: number): void {
      if (low < lowest) lowest = low;
      if (high > highest) highest = high;
      moments += 1;
      inStretch += 1;
      if (inStretch === stretch) close();
    },
    soFar: getTable,
    finish(sampleRate: number): PeakTable {
      if (inStretch > 0) close();
      return getTable(sampleRate);
    },
  };
}
