/** Takes base64 out of replies: what is recorded and shown names the stored medium instead. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';
import { videoPlaces } from '../../shared/operations/video/task-result.ts';
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts';
import { type Base64Data, base64Piece, readBase64, readDataUrl } from './base64-data.ts';

export interface HarvestSink {
  /** Stores a whole file; returns the medium's id. `type` is as declared, null where it is not. */
  add(base64: string, type: string | null, stem: string): string;
  /** Stores one more piece of the file that `key` names; returns its id, the same for each piece. */
  append(key: string, base64: string, type: string | null, stem: string): string;
}

/** Where an address is expected, or a list of addresses. */
const ADDRESSES = new Set([
  ...videoPlaces,
  ...['image_url', 'image', 'images', 'audio_url', 'file_url'],
]);

/** What holds the content of an answer's part: an address or base64, alone, in a list, or in an object under `CONTENTS`. */
const PARTS = new Set([
  ...['image_url', 'image', 'images', 'video_url', 'video', 'file', 'file_url', 'source'],
  ...['input_audio', 'output_audio', 'audio', 'audio_url'],
]);
const PART_TYPE = /image|audio|video|file/;
const CONTENTS = new Set(['url', 'data', 'file_url']);
/** In letters of base64: what is shorter is an ID or a path, also where its first bytes look like a file's. */
const SHORTEST = 64;
/** What is as long is no address, whatever its bytes are. */
const SURELY_BYTES = 1024;

/** The same value where nothing was stored. `isFrame`: `json` is one event of a stream, not a whole document. */
export type Harvest = (json: JsonValue, sink: HarvestSink, isFrame: boolean) => JsonValue;

/** Deeper than any reply; what is nested deeper stays unchanged. */
const DEEPEST = 48;
/**
 * `inlineData` in both spellings, `message.audio` and `delta.audio`, `b64_json`, the audio and files of content
 * parts, `data` whose type is beside it, data URLs where an address is, and in parts of an answer base64
 * without a type too. Text is left alone, whatever it looks like.
 */
export const harvestMedia = ((json, sink) => walk(json, sink, 0, '')) satisfies Harvest;

/** `place`: the name of the field that has the value, or the list with it. */
function walk(value: JsonValue, sink: HarvestSink, depth: number, place: string): JsonValue {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, sink, depth + 1, place));
  if (!isJsonObject(value)) return value;
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const next =
      field(value, key, item, sink, depth) ??
      walkField(key, item, sink, depth + 1, isContent(value, key, place));
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

/** Null where the field is none that holds base64. */
function field(
  parent: JsonObject,
  key: string,
  value: JsonValue,
  sink: HarvestSink,
  depth: number,
): JsonValue | null {
  if (key === 'inlineData' || key === 'inline_data') {
    if (!isJsonObject(value)) return null;
    const type = value.mimeType ?? value.mime_type;
    return withStoredData(value, typeof type === 'string' ? type : null, sink);
  }
  if (key === 'b64_json') {
    const data = readBase64(value);
    return data === null ? null : mediaReference(sink.add(data.base64, data.type, 'image'));
  }
  if (key === 'file_data') return storedData(value, null, sink);
  if (key === 'data') {
    const type = parent.mime_type ?? parent.mimeType ?? parent.media_type;
    return typeof type === 'string' ? storedData(value, type, sink) : null;
  }
  if (isAudioPart(parent, key) && isJsonObject(value)) {
    return withStoredData(value, audioType(value), sink, 'audio');
  }
  if (key === 'message' && isJsonObject(value) && isJsonObject(value.audio)) {
    const audio = withStoredData(value.audio, audioType(value.audio), sink, 'answer');
    return audio === null ? null : walk({ ...value, audio }, sink, depth + 1, key);
  }
  if (key === 'delta' && isJsonObject(value) && isJsonObject(value.audio)) {
    const { audio } = value;
    const piece = base64Piece(audio.data);
    // Nothing is no piece.
    if (piece === '') return null;
    // Streams carry raw samples unless they name a format.
    const type = audioType(audio) ?? 'audio/pcm';
    const id = sink.append(`choice ${parent.index ?? 0}`, piece, type, 'answer');
    return walk({ ...value, audio: { ...audio, data: mediaReference(id) } }, sink, depth + 1, key);
  }
  return null;
}

function isAudioPart({ type }: JsonObject, key: string): boolean {
  return key === 'input_audio' || key === 'output_audio' || (key === 'audio' && type === 'audio');
}

function storedData(value: JsonValue, declared: string | null, sink: HarvestSink): string | null {
  const data = readBase64(value);
  if (data === null) return null;
  const type = declared ?? data.type;
  return mediaReference(sink.add(data.base64, type, stemOf(type)));
}

function withStoredData(
  holder: JsonObject,
  declared: string | null,
  sink: HarvestSink,
  stem?: string,
): JsonObject | null {
  const data = readBase64(holder.data);
  if (data === null) return null;
  const type = declared ?? data.type;
  return { ...holder, data: mediaReference(sink.add(data.base64, type, stem ?? stemOf(type))) };
}

/** Whether the field is where an answer's part has its content. */
function isContent({ type }: JsonObject, key: string, place: string): boolean {
  // A message's own sound comes in pieces.
  if (key === 'audio') return place !== 'message' && place !== 'delta';
  if (PARTS.has(key)) return true;
  const isPart = PARTS.has(place) || (typeof type === 'string' && PART_TYPE.test(type));
  return isPart && CONTENTS.has(key);
}

/** Any text under the name of an address may be one, also in a list; what else is inside is looked at by itself. */
function walkField(
  key: string,
  value: JsonValue,
  sink: HarvestSink,
  depth: number,
  ofPart: boolean,
): JsonValue {
  if (!(ofPart || ADDRESSES.has(key)) || depth > DEEPEST) return walk(value, sink, depth, key);
  if (typeof value === 'string') {
    const data = readDataUrl(value) ?? (ofPart ? readBareFile(value) : null);
    return data === null
      ? value
      : mediaReference(sink.add(data.base64, data.type, stemOf(data.type)));
  }
  if (!Array.isArray(value)) return walk(value, sink, depth, key);
  return mapItems(value, (item) => walkField(key, item, sink, depth + 1, ofPart));
}

/** Base64 that nothing calls so: by the bytes, or by its length. */
function readBareFile(text: string): Base64Data | null {
  if (text.length < SHORTEST) return null;
  const data = readBase64(text);
  if (data === null) return null;
  const head = Buffer.from(data.base64.slice(0, 2 * SNIFF_BYTES), 'base64').subarray(
    0,
    SNIFF_BYTES,
  );
  const { kind, type } = sniffMedia(head, null);
  if (kind !== 'file') return { ...data, type };
  return data.base64.length < SURELY_BYTES ? null : data;
}

/** The same list where every item stays. */
export function mapItems(list: JsonValue[], map: (item: JsonValue) => JsonValue): JsonValue[] {
  let copy: JsonValue[] | null = null;
  for (const [at, item] of list.entries()) {
    const next = map(item);
    if (next === item) continue;
    copy ??= [...list];
    copy[at] = next;
  }
  return copy ?? list;
}

function audioType({ format }: JsonObject): string | null {
  if (typeof format !== 'string' || format === '') return null;
  return format.startsWith('pcm') ? 'audio/pcm' : `audio/${format}`;
}

function stemOf(type: string | null): string {
  const [kind = ''] = type?.split('/') ?? [];
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
}
