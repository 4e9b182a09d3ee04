/** Jobs that main sends to the worker, and its results. Paths are main's own; the page never names one. */
import type { Measurement } from '../measurement.ts';

export type MediaJob =
  | { kind: 'measure'; path: string; type: string }
  /** Keeps the outline at `peaksPath`. */
  | { kind: 'peaks'; path: string; type: string; peaksPath: string };

export interface MediaJobResults {
  measure: Measurement;
  /** `unsupported`: only a page can decode it. */
  peaks: 'kept' | 'unsupported';
}

export interface JobMessage {
  id: number;
  job: MediaJob;
}

export type JobAnswer =
  | { id: number; ok: true; result: MediaJobResults[keyof MediaJobResults] }
  | { id: number; ok: false; message: string };
