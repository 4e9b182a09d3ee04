/** Computes each video's frame and drift correction from a shared clock. Times are in seconds. */

export interface FrameRate {
  framesPerSecond: number;
  source: 'measured' | 'reported' | 'assumed';
}

/** The frame rate to assume if it's unknown. */
const assumedRate: FrameRate = { framesPerSecond: 30, source: 'assumed' };

/** Returns the highest frame rate, so that no step skips a frame. */
export function getHighestRate(rates: readonly (FrameRate | null)[]): FrameRate {
  return (
    rates.reduce<FrameRate | null>(
      (most, rate) =>
        rate !== null && rate.framesPerSecond > (most?.framesPerSecond ?? 0) ? rate : most,
      null,
    ) ?? assumedRate
  );
}

/** Allows for decoders that round times. */
const roundingSeconds = 1e-4;

export function getFrame(seconds: number, framesPerSecond: number): number {
  return Math.max(0, Math.floor((seconds + roundingSeconds) * framesPerSecond));
}

/** Returns the time `frames` frames later or earlier, limited to the first and last frame. */
export function snapToFrame(
  seconds: number,
  frames: number,
  framesPerSecond: number,
  lengthSeconds: number,
): number {
  const last = Math.max(0, Math.ceil((lengthSeconds - roundingSeconds) * framesPerSecond) - 1);
  const from = Math.min(last, getFrame(seconds, framesPerSecond));
  const to = Math.min(last, Math.max(0, from + frames));
  return to / framesPerSecond;
}

/** Returns the middle of a frame, because players may round up or down. */
export function getSeekTime(
  seconds: number,
  framesPerSecond: number,
  durationSeconds: number,
): number {
  const middle = (getFrame(seconds, framesPerSecond) + 0.5) / framesPerSecond;
  return Math.max(0, Math.min(middle, durationSeconds - 0.5 / framesPerSecond));
}

export type DriftCorrection =
  | { kind: 'rate'; rate: number }
  | { kind: 'seek'; seconds: number }
  /** The video has ended and stays on its last frame. */
  | { kind: 'hold' };

/** A drift of less than one frame isn't visible. */
const toleratedSeconds = 0.03;
/** A larger drift would take too long to correct by changing the playback rate. */
const maxByRateSeconds = 0.3;
const maxRateChange = 0.15;

/** Returns how to bring a playing video back to the clock's time. */
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
  // The video ended ahead of the clock; calling play would restart it.
  if (videoSeconds >= durationSeconds) return { kind: 'hold' };
  if (Math.abs(behind) <= toleratedSeconds) return { kind: 'rate', rate };
  // This rate corrects the drift in about a second.
  const change = Math.min(maxRateChange, Math.max(-maxRateChange, behind));
  return { kind: 'rate', rate: rate * (1 + change) };
}
