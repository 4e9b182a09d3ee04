/** Defines the state of an image run as plain JSON, because patches send it to the page. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';

/** `raw` is the part as received; undefined if the other fields contain everything in it. */
export type ImagePart =
  | { type: 'text'; text: string; thought: boolean; raw?: JsonObject }
  /** `media` contains the item once the main process has stored and measured the file. */
  | {
      type: 'media';
      mediaId: string;
      mimeType: string;
      thought?: true;
      /** Streamed before the image is finished. */
      preview?: true;
      raw?: JsonObject;
    }
  /** The response links to the file instead of including the bytes. */
  | { type: 'link'; url: string; mimeType: string; thought?: true; raw?: JsonObject }
  /** A part with nothing to show, such as one with only the model's signature. */
  | { type: 'hidden'; raw: JsonObject }
  /** A part of an unknown type, as received. */
  | { type: 'unknown'; raw: JsonValue };

export type ImageCandidate = {
  role: string;
  parts: ImagePart[];
  finishReason: string | null;
  finishMessage?: string;
  safetyRatings: JsonValue[];
  /** The prompt that the model used instead. */
  revisedPrompt?: string;
};

export type ImageState = {
  candidates: ImageCandidate[];
  blockReason: string | null;
  promptFeedback: JsonObject | null;
  /** As received, in camelCase or snake_case. */
  usage: JsonObject | null;
  model: string | null;
  responseId: string | null;
  media: Media[];
  warnings: string[];
  /** Fields and events that aren't shown elsewhere. */
  other: JsonObject;
  /** Images whose last event arrived; undefined before the first one. */
  completed?: number;
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
  other: {},
};

/**
 * Returns the IDs of images that the model drafted while thinking; empty if there are no others.
 */
export function getDraftIds(candidates: readonly ImageCandidate[]): ReadonlySet<string> {
  const images = candidates.flatMap(({ parts }) => parts).filter(isImage);
  if (images.every(({ thought }) => thought)) return new Set();
  return new Set(
    images.flatMap((part) => (part.type === 'media' && part.thought ? [part.mediaId] : [])),
  );
}

export function isImage(part: ImagePart): part is Extract<ImagePart, { type: 'media' | 'link' }> {
  return part.type === 'media' || part.type === 'link';
}

/** Returns false if a part has anything other than text, or a file and MIME type in camelCase. */
export function isPlainPart(part: JsonObject): boolean {
  const { text, inlineData, ...others } = part;
  if (Object.keys(others).length > 0) return false;
  if (inlineData === undefined) return typeof text === 'string';
  if (!isJsonObject(inlineData) || text !== undefined) return false;
  const { mimeType, data, ...more } = inlineData;
  return mimeType !== undefined && data !== undefined && Object.keys(more).length === 0;
}
