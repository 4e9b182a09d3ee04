/** Several videos on one clock: the frame that each shows, and how one that drifts is brought back. Pure; seconds throughout. */

export interface FrameRate {
  framesPerSecond: number;
  source: 'measured' | 'reported' | 'assumed';
}

/** Where nobody said or measured another. */
const assumedRate: FrameRate = { framesPerSecond: 30, source: 'assumed' };

/** The highest: one step passes no frame of any video. */
export function stepRate(rates: readonly (FrameRate | null)[]): FrameRate {
  return (
    rates.reduce<FrameRate | null>(
      (most, rate) =>
        rate !== null && rate.framesPerSecond > (most?.framesPerSecond ?? 0) ? rate : most,
      null,
    ) ?? assumedRate
  );
}

/** Times that a decoder rounds are still those of their frame. */
const roundingSeconds = 1e-4;

/** The frame that is shown then, from 0. */
export function frameAt(seconds: number, framesPerSecond: number): number {
  return Math.max(0, Math.floor((seconds + roundingSeconds) * framesPerSecond));
}

/** Where the clock is `frames` later; never before the first frame or after the last one. */
export function snapToFrame(
  seconds: number,
  frames: number,
  framesPerSecond: number,
  lengthSeconds: number,
): number {
  const last = Math.max(0, Math.ceil((lengthSeconds - roundingSeconds) * framesPerSecond) - 1);
  const from = Math.min(last, frameAt(seconds, framesPerSecond));
  const to = Math.min(last, Math.max(0, from + frames));
  return to / framesPerSecond;
}

/** Where a video is put to show its frame of that time: in the middle of it, for players round either way. */
export function seekTarget(
  seconds: number,
  framesPerSecond: number,
  durationSeconds: number,
): number {
  const middle = (frameAt(seconds, framesPerSecond) + 0.5) / framesPerSecond;
  return Math.max(0, Math.min(middle, durationSeconds - 0.5 / framesPerSecond));
}

export type DriftCorrection =
  | { kind: 'rate'; rate: number }
  | { kind: 'seek'; seconds: number }
  /** It is over before the others: it waits at its last frame. */
  | { kind: 'hold' };

/** Less than a frame of most videos: nobody sees it. */
const toleratedSeconds = 0.03;
/** More would take too long to make good by playing faster. */
const maxByRateSeconds = 0.3;
const maxRateChange = 0.15;

/** What keeps a playing video at the clock's time. */
export function correctDrift(
  clockSeconds: number,
  videoSeconds: number,
  durationSeconds: number,
  rate: number,
): DriftCorrection {
  if (clockSeconds >= durationSeconds) return { kind: 'hold' };
  const behind = clockSeconds - videoSeconds;
  if (Math.abs(behind) > maxByRateSeconds * Math.max(1, rate)) {
    return { kind: 'seek', seconds: clockSeconds };
  }
  // Ahead, and over by itself: playing it would begin it again.
  if (videoSeconds >= durationSeconds) return { kind: 'hold' };
  if (Math.abs(behind) <= toleratedSeconds) return { kind: 'rate', rate };
  // Made good within about a second.
  const change = Math.min(maxRateChange, Math.max(-maxRateChange, behind));
  return { kind: 'rate', rate: rate * (1 + change) };
}
