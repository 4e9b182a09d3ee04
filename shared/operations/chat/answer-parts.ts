/** Reads the images, audio, files and video of an answer, whose bytes are in the media store. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import type { Warn } from '../response/values.ts';
import type { Content, ContentPart } from './message.ts';

export type AnswerPart = {
  part: Exclude<ContentPart, { type: 'text' }>;
  /** The number of characters of answer text before the part. */
  at: number;
};

/** Converts the part to the request format; null with a warning if it's empty or unsupported. */
export function readAnswerPart(value: JsonObject, warn: Warn): AnswerPart['part'] | null {
  const kind = getKind(value);
  if (kind === null) {
    const type = typeof value.type === 'string' ? ` of type “${value.type.slice(0, 40)}”` : '';
    warn(
      `The answer contains a part${type} that Gatehouse can’t show. Open the inspector to see it.`,
    );
    return null;
  }
  const part = read[kind](getInside(value, kind));
  if (part === null) warn(`The ${nouns[kind]} in the answer couldn’t be read.`);
  return part;
}

/** Returns a list only if the answer has parts, because plain text is sent as a string. */
export function toAnswerContent(text: string, parts: readonly AnswerPart[] = []): Content {
  if (parts.length === 0) return text;
  const content: ContentPart[] = [];
  let from = 0;
  for (const { part, at } of parts) {
    if (at > from) content.push({ type: 'text', text: text.slice(from, at) });
    content.push(part);
    from = Math.max(from, at);
  }
  if (from < text.length) content.push({ type: 'text', text: text.slice(from) });
  return content;
}

export function createImagePart(url: string): Extract<ContentPart, { type: 'image_url' }> {
  return { type: 'image_url', image_url: { url } };
}

type Kind = 'image' | 'audio' | 'video' | 'file';

/** Fields that may hold the content, by kind. */
const places: Readonly<Record<Kind, readonly string[]>> = {
  image: ['image_url', 'image', 'source'],
  audio: ['input_audio', 'output_audio', 'audio', 'audio_url'],
  video: ['video_url', 'video'],
  file: ['file', 'source'],
};
const kinds: readonly Kind[] = ['image', 'audio', 'video', 'file'];
const nouns: Readonly<Record<Kind, string>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
};

function getKind(value: JsonObject): Kind | null {
  const type = typeof value.type === 'string' ? value.type : '';
  const byType = kinds.find((kind) => type.includes(kind));
  if (byType !== undefined) return byType;
  if (type !== '') return null;
  return kinds.find((kind) => places[kind].some((name) => Object.hasOwn(value, name))) ?? null;
}

/** Returns the nested content, or else the part itself; a bare URL is wrapped as `url`. */
function getInside(value: JsonObject, kind: Kind): JsonObject {
  const inner = places[kind].map((name) => value[name]).find((item) => item !== undefined);
  if (typeof inner === 'string') return { ...value, url: inner };
  return isJsonObject(inner) ? inner : value;
}

const read: Readonly<Record<Kind, (inside: JsonObject) => AnswerPart['part'] | null>> = {
  image(inside) {
    const url = getAddress(inside);
    const detail = details.find((word) => word === inside.detail);
    if (url === null) return null;
    return { type: 'image_url', image_url: { url, ...(detail && { detail }) } };
  },
  video(inside) {
    const url = getAddress(inside);
    return url === null ? null : { type: 'video_url', video_url: { url } };
  },
  // The API accepts only WAV and MP3 as input audio, so other formats are sent as files.
  audio(inside) {
    const data = getAddress(inside);
    if (data === null) return null;
    const format = readAudioFormat(inside.format);
    if (format === null || findReferencedMedia(data) === null) {
      return { type: 'file', file: { file_data: data } };
    }
    return { type: 'input_audio', input_audio: { data, format } };
  },
  file(inside) {
    const data = getAddress(inside);
    const id = getWord(inside.file_id) ?? getWord(inside.id);
    const name = getWord(inside.filename) ?? getWord(inside.name);
    if (data === null && id === null) return null;
    return {
      type: 'file',
      file: {
        ...(name !== null && { filename: name }),
        ...(data !== null && { file_data: data }),
        ...(id !== null && { file_id: id }),
      },
    };
  },
};

const details = ['low', 'high', 'auto'] as const;

/** Ignores inline base64, because the main process already replaced it with references. */
function getAddress(inside: JsonObject): string | null {
  for (const name of ['url', 'data', 'file_data', 'b64_json', 'file_url']) {
    const word = getWord(inside[name]);
    if (word !== null) return findReferencedMedia(word) !== null || isUrl(word) ? word : null;
  }
  return null;
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

function getWord(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function readAudioFormat(value: JsonValue | undefined): 'wav' | 'mp3' | null {
  if (typeof value !== 'string') return null;
  if (/^(?:audio\/)?(?:mp3|mpeg)$/i.test(value)) return 'mp3';
  return /^(?:audio\/)?(?:x-)?wav$/i.test(value) ? 'wav' : null;
}
