import { assertNever } from '../../../shared/assert-never.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import type { ImageInput } from '../../../shared/operations/image/request.ts';
import {
  type ImageCandidate,
  type ImagePart,
  isImage,
  isPlainPart,
} from '../../../shared/operations/image/state.ts';
import { getCamelOrSnake } from '../../../shared/operations/response/values.ts';

export type ReferenceImage = ImageInput['images'][number];

/** A turn is an entry in the request's `contents`. */
export type Turn = ImageInput['earlier'][number];

export type TurnPart = Turn['parts'][number];

/** Images come before the text, as models expect. */
export function createUserTurn(prompt: string, images: readonly ReferenceImage[]): Turn {
  return {
    role: 'user',
    parts: [
      ...images.map((image) => ({ type: 'image' as const, ...image })),
      ...(prompt === '' ? [] : [{ type: 'text' as const, text: prompt }]),
    ],
  };
}

/**
 * Returns the answer with its thoughts and signatures, which the model expects back; null if it has
 * only thoughts.
 */
export function toModelTurn({ role, parts }: ImageCandidate): Turn | null {
  const kept = parts.flatMap(toTurnPart);
  return parts.some(isAnswer) ? { role, parts: kept } : null;
}

function isAnswer(part: ImagePart): boolean {
  return part.type === 'text' ? !part.thought && part.text !== '' : isImage(part);
}

function toTurnPart(part: ImagePart): TurnPart[] {
  switch (part.type) {
    case 'text': {
      const { text, thought, raw = thought ? { text, thought } : undefined } = part;
      return text === '' && raw === undefined ? [] : [{ type: 'text', text, ...(raw && { raw }) }];
    }
    case 'media': {
      const { mediaId, mimeType, raw, preview, thought } = part;
      if (preview && thought) return [];
      return [{ type: 'image', mediaId, mimeType, ...(raw && { raw }) }];
    }
    case 'link': {
      const { url, mimeType, raw = { fileData: { mimeType, fileUri: url } } } = part;
      return [{ type: 'other', raw }];
    }
    case 'hidden':
      return [{ type: 'other', raw: part.raw }];
    case 'unknown':
      return isJsonObject(part.raw) ? [{ type: 'other', raw: part.raw }] : [];
    default:
      return assertNever(part);
  }
}

export function toContents(turns: readonly Turn[]): JsonObject[] {
  return turns.map(({ role, parts }) => ({ role, parts: parts.map(toPart) }));
}

function toPart(part: TurnPart): JsonObject {
  if (part.type === 'other' || part.raw !== undefined) return part.raw ?? {};
  if (part.type === 'text') return { text: part.text };
  return { inlineData: { mimeType: part.mimeType, data: createMediaReference(part.mediaId) } };
}

/** Parses a recorded request, using its last user turn as the prompt. */
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
  const raw = isPlainPart(part) ? {} : { raw: part };
  if (typeof part.text === 'string') return [{ type: 'text', text: part.text, ...raw }];
  const inline = getCamelOrSnake(part, 'inlineData');
  if (!isJsonObject(inline) || typeof inline.data !== 'string')
    return [{ type: 'other', raw: part }];
  const mediaId = findReferencedMedia(inline.data);
  const mimeType = getCamelOrSnake(inline, 'mimeType') ?? '';
  return mediaId === null || typeof mimeType !== 'string'
    ? []
    : [{ type: 'image', mediaId, mimeType, ...raw }];
}

function getInput({ mediaId, mimeType }: ReferenceImage): ReferenceImage {
  return { mediaId, mimeType };
}
