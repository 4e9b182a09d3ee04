/** Computes the frame and drift correction of videos on a shared clock; times are in seconds. */

export interface FrameRate {
  framesPerSecond: number;
  source: 'measured' | 'reported' | 'assumed';
}

/** The clock assumes 30 frames per second if the frame rate is unknown. */
const assumedRate: FrameRate = { framesPerSecond: 30, source: 'assumed' };

/** Uses the highest rate, so no step skips a frame. */
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

export function frameAt(seconds: number, framesPerSecond: number): number {
  return Math.max(0, Math.floor((seconds + roundingSeconds) * framesPerSecond));
}

/** Moves the clock by `frames` and clamps the result to the first and last frame. */
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

/** Returns the middle of a frame, because players round either way. */
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
  /** The video has ended and waits at its last frame. */
  | { kind: 'hold' };

/** A drift below one frame is invisible. */
const toleratedSeconds = 0.03;
/** Playing faster would take too long to correct a larger drift. */
const maxByRateSeconds = 0.3;
const maxRateChange = 0.15;

/** Returns how to bring a playing video to the clock's time. */
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
  // The video has ended ahead of the clock, and playing would restart the video.
  if (videoSeconds >= durationSeconds) return { kind: 'hold' };
  if (Math.abs(behind) <= toleratedSeconds) return { kind: 'rate', rate };
  // The change corrects the drift within about a second.
  const change = Math.min(maxRateChange, Math.max(-maxRateChange, behind));
  return { kind: 'rate', rate: rate * (1 + change) };
}
