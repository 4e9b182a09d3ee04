/** Saves the audio of a speech response from JSON or a stream of events, or finds its URL. */
import { createHash, type Hash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts';
import { findAudioAddress } from './audio-address.ts';
import {
  type Base64Data,
  readBase64,
  readBase64Piece,
  readDataUrl,
  readHex,
  readHexPiece,
} from './base64-data.ts';
import { type Harvest, type HarvestSink, mapItems } from './harvest-media.ts';

const AUDIO = /^audio(?:_?(?:base64|hex|content|data|chunk))?$/i;
/** URLs in these fields contain audio only if they are data URLs. */
const ADDRESS = /(?:^|_)ur[il]$/i;
/** These fields contain audio only in events with an audio type. */
const PIECES = ['delta', 'data'];
const INSIDE = ['data', 'b64_json', 'base64', 'content', 'url'];
const MAX_DEPTH = 6;
/** Shorter base64 may be a word, such as `processing`. */
const MIN_RAW_LENGTH = 64;
/** MiniMax marks its last event: https://platform.minimax.io/docs/api-reference/speech-t2a-http */
const LAST_STATUS = 2;

export interface SpeechHarvest {
  harvest: Harvest;
  /** Returns the audio URL from the response, or null if there is none. */
  address(): string | null;
}

/** Holds the state of one response; `type` is the type of audio that has no signature. */
export function createSpeechHarvest(type: string | null): SpeechHarvest {
  const received: Received = { pieces: 0, length: 0, hash: createHash('sha256'), isHex: false };
  let address: string | null = null;
  return {
    harvest(json, sink, isFrame) {
      const context = { sink, isFrame, received };
      const stored = walk(json, context, { declared: null, unmarked: type, isLast: false }, 0);
      const found = findAudioAddress(stored);
      if (found !== null) {
        address = found;
        sink.refer();
      }
      return stored;
    },
    address: () => address,
  };
}

/** Hash of the audio so far, because the audio itself isn't kept in memory. */
interface Received {
  pieces: number;
  length: number;
  hash: Hash;
  isHex: boolean;
}

interface Context {
  sink: HarvestSink;
  isFrame: boolean;
  received: Received;
}

interface AudioType {
  declared: string | null;
  unmarked: string | null;
  /** True for the last event, which may repeat all of the audio. */
  isLast: boolean;
}

function walk(value: JsonValue, context: Context, type: AudioType, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, context, type, depth + 1));
  if (!isJsonObject(value)) return value;
  const inside = {
    ...type,
    declared: getDeclaredType(value) ?? type.declared,
    isLast: type.isLast || value.status === LAST_STATUS,
  };
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

/** Accepts base64, a data URL, an object with either, or a list. */
function storeAudio(value: JsonValue, context: Context, type: AudioType, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return mapItems(value, (item) => storeAudio(item, context, type, depth + 1));
  }
  if (isJsonObject(value)) {
    const inside = { ...type, declared: getDeclaredType(value) ?? type.declared };
    for (const name of INSIDE) {
      const inner = value[name];
      if (typeof inner !== 'string') continue;
      const stored = storeAudio(inner, context, inside, depth + 1);
      if (stored !== inner) return { ...value, [name]: stored };
    }
    return value;
  }
  const audio = typeof value === 'string' ? readAudio(value, context, type) : null;
  if (typeof value !== 'string' || audio === null) return value;
  const { received } = context;
  const isRepeated = repeatsAll(value, received, type) && !isSilent(audio.base64);
  if (!isRepeated) {
    received.pieces += 1;
    received.length += value.length;
    received.hash.update(value);
  }
  const base64 = isRepeated ? '' : audio.base64;
  return createMediaReference(context.sink.append('speech', base64, audio.type, 'speech'));
}

/** Some streams repeat all of the audio at the end, which must not be played twice. */
function repeatsAll(text: string, { pieces, length, hash }: Received, type: AudioType): boolean {
  const mayRepeat = pieces > 1 || (pieces === 1 && type.isLast);
  if (!mayRepeat || text.length !== length) return false;
  return createHash('sha256').update(text).digest('hex') === hash.copy().digest('hex');
}

/** More silence must not count as a repeat of the earlier silence. */
function isSilent(base64: string): boolean {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.every((byte) => byte === bytes[0]);
}

/** Returns null for other text, because any single word could be valid base64. */
function readAudio(
  text: string,
  { isFrame, received }: Context,
  { declared, unmarked }: AudioType,
): Base64Data | null {
  const dataUrl = readDataUrl(text);
  if (dataUrl !== null) return { ...dataUrl, type: dataUrl.type ?? declared ?? unmarked };
  const type = declared ?? unmarked;
  const isFirst = received.pieces === 0;
  const hex = isFirst ? readHex(text) : received.isHex ? readHexPiece(text) : null;
  if (hex !== null) {
    received.isHex = true;
    return { ...hex, type };
  }
  if (isFrame) {
    const base64 = readBase64Piece(text);
    return base64 === '' ? null : { base64, type };
  }
  const data = readBase64(text);
  if (data === null) return null;
  const isLong = data.base64.length >= MIN_RAW_LENGTH;
  const isAudio = looksLikeAudio(data.base64) || (isLong && (!isFirst || type !== null));
  return isAudio ? { base64: data.base64, type } : null;
}

function looksLikeAudio(base64: string): boolean {
  const head = Buffer.from(base64.slice(0, 2 * SNIFF_BYTES), 'base64').subarray(0, SNIFF_BYTES);
  // This hint makes ambiguous containers count as audio.
  return sniffMedia(head, 'audio/*').kind === 'audio';
}

function isAudioUrl(value: JsonValue): boolean {
  return typeof value === 'string' && readDataUrl(value)?.type?.startsWith('audio/') === true;
}

function getDeclaredType({ mime_type, mimeType, content_type }: JsonObject): string | null {
  const type = mime_type ?? mimeType ?? content_type;
  return typeof type === 'string' && type.startsWith('audio/') ? type : null;
}
