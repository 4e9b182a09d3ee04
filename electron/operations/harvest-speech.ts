/** Takes the sound out of a reply of speech that is JSON, or a stream of events with a piece in each. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts';
import { type Base64Data, base64Piece, readBase64, readDataUrl } from './base64-data.ts';
import { type Harvest, type HarvestSink, mapItems } from './harvest-media.ts';

const AUDIO = /^audio(?:_?(?:base64|content|data|chunk))?$/i;
/** Where only a data URL is a sound: any other address is one to fetch. */
const ADDRESS = /(?:^|_)ur[il]$/i;
/** What only the kind of the event tells to be sound. */
const PIECES = ['delta', 'data'];
const INSIDE = ['data', 'b64_json', 'base64', 'content', 'url'];
const MAX_DEPTH = 6;
/** Raw samples have nothing to tell them by. What is shorter, in letters of base64, is a word: `processing`. */
const MIN_RAW = 64;

/** `type`: of a sound whose bytes do not show it. */
export function harvestSpeech(type: string | null): Harvest {
  return (json, sink, isFrame) =>
    walk(json, { sink, isFrame, hasBegun: false }, { declared: null, unmarked: type }, 0);
}

interface Taking {
  sink: HarvestSink;
  /** One event of a stream, whose sound may be cut anywhere. */
  isFrame: boolean;
  /** The document has had a sound: what is listed after it continues it. */
  hasBegun: boolean;
}

/** As the reply says, and what is assumed where neither that nor the bytes tell. */
interface SoundType {
  declared: string | null;
  unmarked: string | null;
}

function walk(value: JsonValue, taking: Taking, type: SoundType, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, taking, type, depth + 1));
  if (!isJsonObject(value)) return value;
  const inside = { ...type, declared: declaredType(value) ?? type.declared };
  const isAudioEvent = typeof value.type === 'string' && value.type.includes('audio');
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const isSound =
      AUDIO.test(key) ||
      (isAudioEvent && PIECES.includes(key)) ||
      (ADDRESS.test(key) && isSoundUrl(item));
    const next = isSound
      ? soundIn(item, taking, inside, depth + 1)
      : walk(item, taking, inside, depth + 1);
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

/** Base64, a data URL, an object with one of them, or a list. The pieces of a reply are one sound. */
function soundIn(value: JsonValue, taking: Taking, type: SoundType, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return mapItems(value, (item) => soundIn(item, taking, type, depth + 1));
  }
  if (isJsonObject(value)) {
    const inside = { ...type, declared: declaredType(value) ?? type.declared };
    for (const name of INSIDE) {
      const inner = value[name];
      if (typeof inner !== 'string') continue;
      const stored = soundIn(inner, taking, inside, depth + 1);
      if (stored !== inner) return { ...value, [name]: stored };
    }
    return value;
  }
  const sound = typeof value === 'string' ? readSound(value, taking, type) : null;
  if (sound === null) return value;
  taking.hasBegun = true;
  return mediaReference(taking.sink.append('speech', sound.base64, sound.type, 'speech'));
}

/** Null for what is not a sound: in a document any word could be base64 as well. */
function readSound(
  text: string,
  { isFrame, hasBegun }: Taking,
  { declared, unmarked }: SoundType,
): Base64Data | null {
  const dataUrl = readDataUrl(text);
  if (dataUrl !== null) return { ...dataUrl, type: dataUrl.type ?? declared ?? unmarked };
  const type = declared ?? unmarked;
  if (isFrame) {
    const base64 = base64Piece(text);
    return base64 === '' ? null : { base64, type };
  }
  const data = readBase64(text);
  if (data === null) return null;
  const isLong = data.base64.length >= MIN_RAW;
  const isSound = looksLikeSound(data.base64) || (isLong && (hasBegun || type !== null));
  return isSound ? { base64: data.base64, type } : null;
}

function looksLikeSound(base64: string): boolean {
  const head = Buffer.from(base64.slice(0, 2 * SNIFF_BYTES), 'base64').subarray(0, SNIFF_BYTES);
  // A container that may hold sound alone is one here.
  return sniffMedia(head, 'audio/*').kind === 'audio';
}

function isSoundUrl(value: JsonValue): boolean {
  return typeof value === 'string' && readDataUrl(value)?.type?.startsWith('audio/') === true;
}

function declaredType({ mime_type, mimeType, content_type }: JsonObject): string | null {
  const type = mime_type ?? mimeType ?? content_type;
  return typeof type === 'string' && type.startsWith('audio/') ? type : null;
}
