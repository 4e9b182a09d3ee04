/** The outline of a sound, and the small file it is kept and sent as. */

export interface MediaPeaks {
  durationSeconds: number;
  /** Highest and lowest sample, -1 to 1, of equally long stretches. */
  max: number[];
  min: number[];
}

/** As kept beside the file and sent by a page that made them: pairs of min and max in 16 bits. */
export interface PeakTable {
  durationSeconds: number;
  pairs: Int16Array;
}

/** More than any page shows at once; keeps a table below 132 kB. */
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

/** Null for bytes that `encodePeaks` does not make. */
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

/** At most `points` stretches, each with the extremes of what it joins. */
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

/** Four digits are finer than any screen, and short as JSON. */
function toUnit(sample: number): number {
  return Math.round((sample / 32_768) * 10_000) / 10_000;
}
