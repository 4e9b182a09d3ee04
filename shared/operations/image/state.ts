/** Defines the state of an image run as plain JSON, because patches carry the state to the page. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';

/** `raw` is the part as received; undefined if the other fields say as much. */
export type ImagePart =
  | { type: 'text'; text: string; thought: boolean; raw?: JsonObject }
  /** `media` lists the item after the main process stores and measures the file. */
  | { type: 'media'; mediaId: string; mimeType: string; thought?: true; raw?: JsonObject }
  /** The response links to the file instead of including the bytes. */
  | { type: 'link'; url: string; mimeType: string; thought?: true; raw?: JsonObject }
  /** A part with nothing to show, such as the model's signature alone. */
  | { type: 'hidden'; raw: JsonObject }
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
  /** As received, in either spelling. */
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

/**
 * Returns the IDs of images that the model only drafted while it thought. The drafts are the result
 * if no other image came.
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

/** Returns false if a part has more than its text, or its file and MIME type in camel case. */
export function isPlainPart(part: JsonObject): boolean {
  const { text, inlineData, ...others } = part;
  if (Object.keys(others).length > 0) return false;
  if (inlineData === undefined) return typeof text === 'string';
  if (!isJsonObject(inlineData) || text !== undefined) return false;
  const { mimeType, data, ...more } = inlineData;
  return mimeType !== undefined && data !== undefined && Object.keys(more).length === 0;
}
