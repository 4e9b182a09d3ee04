import type { Media } from '../../../shared/media.ts';

/** The limit of OpenAI and most gateways: https://platform.openai.com/docs/guides/speech-to-text */
export const MAX_UPLOAD_BYTES = 25_000_000;
/** Leaves room for the other fields of the request. */
const TARGET_BYTES = 24_000_000;
/** MPEG-2 Layer III rates, from barely audible loss to speech that models still understand. */
const BIT_RATES = [48_000, 32_000, 24_000, 16_000] as const;
const MIN_BIT_RATE = 16_000;

export interface CopyPlan {
  bitsPerSecond: number;
  /** An estimate; null if the duration is unknown. */
  sizeBytes: number | null;
}

/** Returns null if a copy wouldn't be smaller. */
export function planCopy({
  durationSeconds,
  sizeBytes,
}: Pick<Media, 'durationSeconds' | 'sizeBytes'>): CopyPlan | null {
  if (durationSeconds === null) return { bitsPerSecond: 32_000, sizeBytes: null };
  const estimate = (bitsPerSecond: number) => Math.ceil((bitsPerSecond * durationSeconds) / 8);
  // A file below the limit that was refused as too large must get much smaller.
  const wanted = Math.min(TARGET_BYTES, sizeBytes / 2);
  const bitsPerSecond = BIT_RATES.find((rate) => estimate(rate) <= wanted) ?? MIN_BIT_RATE;
  const copyBytes = estimate(bitsPerSecond);
  return copyBytes < 0.9 * sizeBytes ? { bitsPerSecond, sizeBytes: copyBytes } : null;
}
