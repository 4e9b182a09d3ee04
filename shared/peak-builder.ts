/** Gathers the extremes of a sound of unknown length into a table of bounded size. */
import { MAX_PEAK_PAIRS, type PeakTable } from './media-peaks.ts';

/** Short sounds keep every 16 samples apart; the table is halved whenever it is full. */
const FIRST_STRETCH = 16;

export interface PeakBuilder {
  /** One moment of the sound: the least and greatest sample of its channels, -32768 to 32767. */
  add(least: number, greatest: number): void;
  /** As far as it arrived; more may be added. */
  soFar(sampleRate: number): PeakTable;
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
    add(least, greatest) {
      if (least < lowest) lowest = least;
      if (greatest > highest) highest = greatest;
      moments += 1;
      inStretch += 1;
      if (inStretch === stretch) close();
    },
    soFar: getTable,
    finish(sampleRate) {
      if (inStretch > 0) close();
      return getTable(sampleRate);
    },
  };
}
