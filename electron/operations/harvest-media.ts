/** Takes base64 out of replies: what is recorded and shown names the stored medium instead. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';
import { videoPlaces } from '../../shared/operations/video/task-result.ts';
import { readBareFile } from './bare-file.ts';
import { base64Piece, readBase64, readDataUrl } from './base64-data.ts';

export interface HarvestSink {
  /** Stores a whole file; returns the medium's id. `type` is as declared, null if it is not. */
  add(base64: string, type: string | null, stem: string): string;
  /** Stores one more piece of the file that `key` names; returns its id, the same for each piece. */
  append(key: string, base64: string, type: string | null, stem: string): string;
}

/** Where an address is expected, or a list of addresses, whatever they are part of. */
const ADDRESSES = new Set(videoPlaces);
/** What holds the content of a part: an address or base64, alone, in a list, or in an object under `CONTENTS`. */
const PARTS = new Set([
  ...['image_url', 'image', 'images', 'video_url', 'video', 'file', 'file_url', 'source'],
  ...['input_audio', 'output_audio', 'audio', 'audio_url'],
]);
const CONTENTS = new Set(['url', 'data', 'file_url']);
/** Where a part may have an address: `generated_image`. */
const PART_TYPE = /image|audio|video|file/;
/** `file_citation` and `profile` say nothing about what they hold. */
const FILE_TYPE = /^(?:(?:in|out)put_)?(?:image|audio|video|file)(?:_url)?$/;

/** The same value where nothing was stored. `isFrame`: `json` is one event of a stream, not a whole document. */
export type Harvest = (json: JsonValue, sink: HarvestSink, isFrame: boolean) => JsonValue;

/** Deeper than any reply; what is nested deeper stays unchanged. */
const MAX_DEPTH = 48;
/**
 * `inlineData` in both spellings, `message.audio` and `delta.audio`, `b64_json`, the audio and files of content
 * parts, `data` whose type is beside it, and data URLs where an address is. Text is left alone.
 */
export const harvestMedia = harvesting({ readsBare: false });

/** Of chat, whose parts may be base64 without a word about it as well: `"image_url": {"url": "iVBORw0…"}`. */
export const harvestAnswer = harvesting({ readsBare: true });

function harvesting({ readsBare }: Pick<Taking, 'readsBare'>): Harvest {
  return (json, sink) => walk(json, { sink, readsBare }, 0, { name: '', isTyped: false });
}

interface Taking {
  sink: HarvestSink;
  readsBare: boolean;
}

interface Place {
  /** Of the field that has the value, or the list with it. */
  name: string;
  /** It is the content of a part whose type says that it is a file. */
  isTyped: boolean;
}

function walk(value: JsonValue, taking: Taking, depth: number, place: Place): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, taking, depth + 1, place));
  if (!isJsonObject(value)) return value;
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const next =
      field(value, key, item, taking, depth) ??
      walkField(value, key, item, taking, depth + 1, place);
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

/** Null if the field is none that holds base64. */
function field(
  parent: JsonObject,
  key: string,
  value: JsonValue,
  taking: Taking,
  depth: number,
): JsonValue | null {
  const { sink } = taking;
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
    // `{"type": "text", "media_type": "text/plain", "data": "Words"}`
    if (parent.type === 'text') return value;
    const type = parent.mime_type ?? parent.mimeType ?? parent.media_type;
    return typeof type === 'string' ? storedData(value, type, sink) : null;
  }
  if (isAudioPart(parent, key) && isJsonObject(value)) {
    return withStoredData(value, audioType(value), sink, 'audio');
  }
  if (key === 'message' && isJsonObject(value) && isJsonObject(value.audio)) {
    const audio = withStoredData(value.audio, audioType(value.audio), sink, 'answer');
    return audio === null ? null : walkMessage({ ...value, audio }, key, taking, depth);
  }
  if (key === 'delta' && isJsonObject(value) && isJsonObject(value.audio)) {
    const { audio } = value;
    const piece = base64Piece(audio.data);
    // Nothing is not a piece.
    if (piece === '') return null;
    // Streams carry raw samples unless they name a format.
    const type = audioType(audio) ?? 'audio/pcm';
    const id = sink.append(`choice ${parent.index ?? 0}`, piece, type, 'answer');
    const stored = { ...audio, data: mediaReference(id) };
    return walkMessage({ ...value, audio: stored }, key, taking, depth);
  }
  return null;
}

function walkMessage(value: JsonObject, name: string, taking: Taking, depth: number): JsonValue {
  return walk(value, taking, depth + 1, { name, isTyped: false });
}

function isAudioPart({ type }: JsonObject, key: string): boolean {
  return key === 'input_audio' || key === 'output_audio' || (key === 'audio' && type === 'audio');
}

function storedData(value: JsonValue, declared: string | null, sink: HarvestSink): string | null {
  const data = readBase64(value);
  if (data === null) return null;
  const type = declared ?? data.type;
  return mediaReference(sink.add(data.base64, type, getStem(type)));
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
  return { ...holder, data: mediaReference(sink.add(data.base64, type, stem ?? getStem(type))) };
}

/** Any text under the name of an address may be one, also in a list; what else is inside is looked at by itself. */
function walkField(
  parent: JsonObject,
  key: string,
  value: JsonValue,
  taking: Taking,
  depth: number,
  place: Place,
): JsonValue {
  const isInPart = isContent(parent, key, place.name);
  const isTyped = isInPart && (place.isTyped || FILE_TYPE.test(getType(parent)));
  const inside = { name: key, isTyped };
  if (!isInPart && !ADDRESSES.has(key)) return walk(value, taking, depth, inside);
  return walkContent(value, taking, depth, inside, isInPart && taking.readsBare);
}

function walkContent(
  value: JsonValue,
  taking: Taking,
  depth: number,
  place: Place,
  readsBare: boolean,
): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return mapItems(value, (item) => walkContent(item, taking, depth + 1, place, readsBare));
  }
  if (typeof value !== 'string') return walk(value, taking, depth, place);
  const data = readDataUrl(value) ?? (readsBare ? readBareFile(value, place.isTyped) : null);
  if (data === null) return value;
  return mediaReference(taking.sink.add(data.base64, data.type, getStem(data.type)));
}

/** Whether the field is where a part has its content. */
function isContent(parent: JsonObject, key: string, place: string): boolean {
  // A message's own sound comes in pieces.
  if (key === 'audio') return place !== 'message' && place !== 'delta';
  return (
    PARTS.has(key) || (CONTENTS.has(key) && (PARTS.has(place) || PART_TYPE.test(getType(parent))))
  );
}

function getType({ type }: JsonObject): string {
  return typeof type === 'string' ? type : '';
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

function getStem(type: string | null): string {
  const [kind = ''] = type?.split('/') ?? [];
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
}
