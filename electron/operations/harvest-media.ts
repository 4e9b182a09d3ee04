/** Takes base64 out of replies: what is recorded and shown names the stored medium instead. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';
import { videoPlaces } from '../../shared/operations/video/task-result.ts';
import { base64Piece, readBase64, readDataUrl } from './base64-data.ts';

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

/** The same value where nothing was stored. `isFrame`: `json` is one event of a stream, not a whole document. */
export type Harvest = (json: JsonValue, sink: HarvestSink, isFrame: boolean) => JsonValue;

/** Deeper than any reply; what is nested deeper stays unchanged. */
const DEEPEST = 48;
/**
 * `inlineData` in both spellings, `message.audio` and `delta.audio`, `b64_json`, the audio and files of content
 * parts, `data` whose type is beside it, and data URLs where an address is. Text is left alone, whatever it
 * looks like.
 */
export const harvestMedia = ((json, sink) => walk(json, sink, 0)) satisfies Harvest;

function walk(value: JsonValue, sink: HarvestSink, depth: number): JsonValue {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, sink, depth + 1));
  if (!isJsonObject(value)) return value;
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const next = field(value, key, item, sink, depth) ?? walkField(key, item, sink, depth + 1);
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
    return audio === null ? null : walk({ ...value, audio }, sink, depth + 1);
  }
  if (key === 'delta' && isJsonObject(value) && isJsonObject(value.audio)) {
    const { audio } = value;
    const piece = base64Piece(audio.data);
    // Nothing is no piece.
    if (piece === '') return null;
    // Streams carry raw samples unless they name a format.
    const type = audioType(audio) ?? 'audio/pcm';
    const id = sink.append(`choice ${parent.index ?? 0}`, piece, type, 'answer');
    return walk({ ...value, audio: { ...audio, data: mediaReference(id) } }, sink, depth + 1);
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

/** Any text under the name of an address may be one, also in a list; what else is inside is looked at by itself. */
function walkField(key: string, value: JsonValue, sink: HarvestSink, depth: number): JsonValue {
  if (!ADDRESSES.has(key) || depth > DEEPEST) return walk(value, sink, depth);
  if (typeof value === 'string') return fromAddress(value, sink);
  if (!Array.isArray(value)) return walk(value, sink, depth);
  return mapItems(value, (item) => walkField(key, item, sink, depth + 1));
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

function fromAddress(text: string, sink: HarvestSink): string {
  const data = readDataUrl(text);
  if (data === null) return text;
  return mediaReference(sink.add(data.base64, data.type, stemOf(data.type)));
}

function audioType({ format }: JsonObject): string | null {
  if (typeof format !== 'string' || format === '') return null;
  return format.startsWith('pcm') ? 'audio/pcm' : `audio/${format}`;
}

function stemOf(type: string | null): string {
  const [kind = ''] = type?.split('/') ?? [];
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
}
