/** Several videos on one clock: the frame each one shows, and how drift is corrected. Pure; in seconds. */

export interface FrameRate {
  framesPerSecond: number;
  source: 'measured' | 'reported' | 'assumed';
}

/** Used if the frame rate is unknown. */
const assumedRate: FrameRate = { framesPerSecond: 30, source: 'assumed' };

/** The highest rate, so that no step skips a frame. */
export function stepRate(rates: readonly (FrameRate | null)[]): FrameRate {
  return (
    rates.reduce<FrameRate | null>(
      (most, rate) =>
        rate !== null && rate.framesPerSecond > (most?.framesPerSecond ?? 0) ? rate : most,
      null,
    ) ?? assumedRate
  );
}

/** Tolerates times that a decoder rounds. */
const roundingSeconds = 1e-4;

/** The index of the frame shown at this time. */
export function frameAt(seconds: number, framesPerSecond: number): number {
  return Math.max(0, Math.floor((seconds + roundingSeconds) * framesPerSecond));
}

/** The clock `frames` later, within the first and last frame. */
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

/** The middle of a frame, because players round either way. */
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
  /** It has ended and waits at its last frame. */
  | { kind: 'hold' };

/** Less than a frame, so nobody sees it. */
const toleratedSeconds = 0.03;
/** A larger drift would take too long to correct by playing faster. */
const maxByRateSeconds = 0.3;
const maxRateChange = 0.15;

/** How to bring a playing video to the clock's time. */
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
  // It has ended ahead of the clock; playing would restart it.
  if (videoSeconds >= durationSeconds) return { kind: 'hold' };
  if (Math.abs(behind) <= toleratedSeconds) return { kind: 'rate', rate };
  // Corrected within about a second.
  const change = Math.min(maxRateChange, Math.max(-maxRateChange, behind));
  return { kind: 'rate', rate: rate * (1 + change) };
}
