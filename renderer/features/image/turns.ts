import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { mediaReference, referencedMedia } from '../../../shared/media.ts';
import type { ImageInput } from '../../../shared/operations/image/request.ts';
import type { ImageCandidate } from '../../../shared/operations/image/state.ts';

export type ReferenceImage = ImageInput['images'][number];

/** A turn is an entry of the request's `contents`. */
export type Turn = ImageInput['earlier'][number];

export type TurnPart = Turn['parts'][number];

/** Images precede the text, because models expect the images first. */
export function userTurn(prompt: string, images: readonly ReferenceImage[]): Turn {
  return {
    role: 'user',
    parts: [
      ...images.map((image) => ({ type: 'image' as const, ...image })),
      ...(prompt === '' ? [] : [{ type: 'text' as const, text: prompt }]),
    ],
  };
}

/** Returns the model's answer without thoughts, or null if nothing is left. */
export function modelTurn({ role, parts }: ImageCandidate): Turn | null {
  const kept = parts.flatMap((part): TurnPart[] => {
    if (part.type === 'text') {
      return part.thought || part.text === '' ? [] : [{ type: 'text', text: part.text }];
    }
    return part.type === 'media'
      ? [{ type: 'image', mediaId: part.mediaId, mimeType: part.mimeType }]
      : [];
  });
  return kept.length === 0 ? null : { role, parts: kept };
}

export function toContents(turns: readonly Turn[]): JsonObject[] {
  return turns.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) =>
      part.type === 'text'
        ? { text: part.text }
        : { inlineData: { mimeType: part.mimeType, data: mediaReference(part.mediaId) } },
    ),
  }));
}

/** Reads a recorded request and uses the last user turn as the prompt. */
export function readContents(contents: JsonValue | undefined): {
  prompt: string;
  images: ReferenceImage[];
  earlier: Turn[];
} {
  const turns = Array.isArray(contents) ? contents.map(readTurn) : [];
  const last = turns.at(-1);
  if (last === undefined) return { prompt: '', images: [], earlier: [] };
  return {
    prompt: last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: last.parts.flatMap((part) => (part.type === 'image' ? [getInput(part)] : [])),
    earlier: turns.slice(0, -1),
  };
}

export function readTurns(contents: JsonValue | undefined): Turn[] {
  return Array.isArray(contents) ? contents.map(readTurn) : [];
}

function readTurn(content: JsonValue): Turn {
  const { role, parts } = isJsonObject(content) ? content : {};
  return {
    role: typeof role === 'string' ? role : 'user',
    parts: Array.isArray(parts) ? parts.flatMap(readPart) : [],
  };
}

function readPart(part: JsonValue): TurnPart[] {
  if (!isJsonObject(part)) return [];
  if (typeof part.text === 'string') return [{ type: 'text', text: part.text }];
  const inline = part.inlineData;
  if (!isJsonObject(inline) || typeof inline.data !== 'string') return [];
  const mediaId = referencedMedia(inline.data);
  const { mimeType } = inline;
  return mediaId === null || typeof mimeType !== 'string'
    ? []
    : [{ type: 'image', mediaId, mimeType }];
}

function getInput({ mediaId, mimeType }: ReferenceImage): ReferenceImage {
  return { mediaId, mimeType };
}
