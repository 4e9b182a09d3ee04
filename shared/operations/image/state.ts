/** The state of an image run. It is plain JSON because it reaches the page as patches. */
import type { JsonObject, JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';

export type ImagePart =
  | { type: 'text'; text: string; thought: boolean }
  /** `mediaId` is in `media` once main has stored and measured it. */
  | { type: 'media'; mediaId: string; mimeType: string }
  /** Media that the reply names by an address instead of sending it. */
  | { type: 'link'; url: string; mimeType: string }
  /** A part of an unknown kind, as received. */
  | { type: 'unknown'; raw: JsonValue };

export type ImageCandidate = {
  role: string;
  parts: ImagePart[];
  finishReason: string | null;
  /** The gateway's explanation; missing if it sent none. */
  finishMessage?: string;
  safetyRatings: JsonValue[];
};

export type ImageState = {
  candidates: ImageCandidate[];
  /** Why the prompt was blocked, as the gateway wrote it. */
  blockReason: string | null;
  promptFeedback: JsonObject | null;
  usage: {
    promptTokenCount: number | null;
    candidatesTokenCount: number | null;
    totalTokenCount: number | null;
  } | null;
  model: string | null;
  responseId: string | null;
  media: Media[];
  warnings: string[];
};

export const emptyImageState: ImageState = {
  candidates: [],
  blockReason: null,
  promptFeedback: null,
  usage: null,
  model: null,
  responseId: null,
  media: [],
  warnings: [],
};
