/** Defines the state of an image run as plain JSON, because patches carry the state to the page. */
import type { JsonObject, JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';

export type ImagePart =
  | { type: 'text'; text: string; thought: boolean }
  /** `media` lists the item after the main process stores and measures the file. */
  | { type: 'media'; mediaId: string; mimeType: string }
  /** The response links to the file instead of including the bytes. */
  | { type: 'link'; url: string; mimeType: string }
  /** A part of an unknown type, as received. */
  | { type: 'unknown'; raw: JsonValue };

export type ImageCandidate = {
  role: string;
  parts: ImagePart[];
  finishReason: string | null;
  finishMessage?: string;
  safetyRatings: JsonValue[];
};

export type ImageState = {
  candidates: ImageCandidate[];
  blockReason: string | null;
  promptFeedback: JsonObject | null;
  /** The last `usageMetadata`, with names in camel case. */
  usage: JsonObject | null;
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
