/** What the demo gateway has made off its own thread, and the parts in which each thing arrives. */
import type { SpeechFormat } from '../../../../shared/operations/speech/state.ts';
import type { Measurement } from '../../../media/measurement.ts';

export interface PicturePlan {
  prompt: string;
  width: number;
  height: number;
  /** Whatever shall vary the drawing of one prompt. */
  seed: string;
}

/** How a picture is drawn. */
export type PictureStyle = 'painting' | 'sketch';

export interface FilmPlan extends PicturePlan {
  durationSeconds: number;
  fps: number;
}

export interface SpeechPlan {
  text: string;
  voice: string;
  /** 1 is natural. */
  speed: number;
  format: SpeechFormat;
  line: SpeechLine;
}

/** What the voice is heard over. */
export type SpeechLine = 'studio' | 'phone';

/** Bytes that play for so many seconds. */
export interface SpeechPart {
  bytes: Uint8Array;
  seconds: number;
}

export type StudioJob =
  | { kind: 'picture'; plan: PicturePlan; style: PictureStyle }
  | { kind: 'film'; plan: FilmPlan }
  | { kind: 'speech'; plan: SpeechPlan }
  | { kind: 'measure'; path: string; type: string };

export interface StudioParts {
  /** A PNG, once. */
  picture: Uint8Array;
  /** An MP4, once. */
  film: Uint8Array;
  speech: SpeechPart;
  /** Once. */
  measure: Measurement;
}
