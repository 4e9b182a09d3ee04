/** Stores the audio of a speech response in JSON or in a stream of events. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media.ts';
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts';
import { type Base64Data, readBase64, readBase64Piece, readDataUrl } from './base64-data.ts';
import { type Harvest, type HarvestSink, mapItems } from './harvest-media.ts';

const AUDIO = /^audio(?:_?(?:base64|content|data|chunk))?$/i;
/** Other URLs would have to be downloaded, so only a data URL counts here. */
const ADDRESS = /(?:^|_)ur[il]$/i;
/** These fields have audio only in an event with an audio type. */
const PIECES = ['delta', 'data'];
const INSIDE = ['data', 'b64_json', 'base64', 'content', 'url'];
const MAX_DEPTH = 6;
/** Shorter base64 may be a word, such as `processing`. */
const MIN_RAW_LENGTH = 64;

export function harvestSpeech(type: string | null): Harvest {
  return (json, sink, isFrame) =>
    walk(json, { sink, isFrame, hasBegun: false }, { declared: null, unmarked: type }, 0);
}

interface Context {
  sink: HarvestSink;
  isFrame: boolean;
  hasBegun: boolean;
}

interface AudioType {
  declared: string | null;
  unmarked: string | null;
}

function walk(value: JsonValue, context: Context, type: AudioType, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, context, type, depth + 1));
  if (!isJsonObject(value)) return value;
  const inside = { ...type, declared: declaredType(value) ?? type.declared };
  const isAudioEvent = typeof value.type === 'string' && value.type.includes('audio');
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const isAudio =
      AUDIO.test(key) ||
      (isAudioEvent && PIECES.includes(key)) ||
      (ADDRESS.test(key) && isAudioUrl(item));
    const next = isAudio
      ? storeAudio(item, context, inside, depth + 1)
      : walk(item, context, inside, depth + 1);
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

/** Accepts base64, a data URL, an object with one of them, or a list. */
function storeAudio(value: JsonValue, context: Context, type: AudioType, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return mapItems(value, (item) => storeAudio(item, context, type, depth + 1));
  }
  if (isJsonObject(value)) {
    const inside = { ...type, declared: declaredType(value) ?? type.declared };
    for (const name of INSIDE) {
      const inner = value[name];
      if (typeof inner !== 'string') continue;
      const stored = storeAudio(inner, context, inside, depth + 1);
      if (stored !== inner) return { ...value, [name]: stored };
    }
    return value;
  }
  const audio = typeof value === 'string' ? readAudio(value, context, type) : null;
  if (audio === null) return value;
  context.hasBegun = true;
  return mediaReference(context.sink.append('speech', audio.base64, audio.type, 'speech'));
}

/** Returns null for other text, because any word of a document could be base64. */
function readAudio(
  text: string,
  { isFrame, hasBegun }: Context,
  { declared, unmarked }: AudioType,
): Base64Data | null {
  const dataUrl = readDataUrl(text);
  if (dataUrl !== null) return { ...dataUrl, type: dataUrl.type ?? declared ?? unmarked };
  const type = declared ?? unmarked;
  if (isFrame) {
    const base64 = readBase64Piece(text);
    return base64 === '' ? null : { base64, type };
  }
  const data = readBase64(text);
  if (data === null) return null;
  const isLong = data.base64.length >= MIN_RAW_LENGTH;
  const isAudio = looksLikeAudio(data.base64) || (isLong && (hasBegun || type !== null));
  return isAudio ? { base64: data.base64, type } : null;
}

function looksLikeAudio(base64: string): boolean {
  const head = Buffer.from(base64.slice(0, 2 * SNIFF_BYTES), 'base64').subarray(0, SNIFF_BYTES);
  // The hint makes containers that may be video count as audio.
  return sniffMedia(head, 'audio/*').kind === 'audio';
}

function isAudioUrl(value: JsonValue): boolean {
  return typeof value === 'string' && readDataUrl(value)?.type?.startsWith('audio/') === true;
}

function declaredType({ mime_type, mimeType, content_type }: JsonObject): string | null {
  const type = mime_type ?? mimeType ?? content_type;
  return typeof type === 'string' && type.startsWith('audio/') ? type : null;
}
