/** Takes base64 out of replies: what is recorded and shown names the stored medium instead. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';
import { base64Piece, readBase64, readDataUrl } from './base64-data.ts';

export interface HarvestSink {
  /** Stores a whole file; returns the medium's id. `type` is as declared, null where it is not. */
  add(base64: string, type: string | null, stem: string): string;
  /** Stores one more piece of the file that `key` names; returns its id, the same for each piece. */
  append(key: string, base64: string, type: string | null, stem: string): string;
}

/** Where an address is expected, or a list of addresses. */
const ADDRESSES = new Set([
  'url',
  'urls',
  'image_url',
  'video_url',
  'video_urls',
  'audio_url',
  'result_url',
  'file_url',
  'video',
  'videos',
  'output',
  'outputs',
]);

/** The same value where nothing was stored. */
export type Harvest = (json: JsonValue, sink: HarvestSink) => JsonValue;

/** Deeper than any reply; what is nested deeper stays unchanged. */
const DEEPEST = 48;
/**
 * `inlineData` in both spellings, `message.audio` and `delta.audio`, `b64_json`, and data URLs where an
 * address is. Text is left alone, whatever it looks like.
 */
export const harvestMedia: Harvest = (json, sink) => walk(json, sink, 0);

function walk(value: JsonValue, sink: HarvestSink, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    let copy: JsonValue[] | null = null;
    for (const [at, item] of value.entries()) {
      const next = walk(item, sink, depth + 1);
      if (next === item) continue;
      copy ??= [...value];
      copy[at] = next;
    }
    return copy ?? value;
  }
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const next = field(value, key, item, sink) ?? walk(item, sink, depth + 1);
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

/** Null where the field is none that holds base64. */
function field(parent: JsonObject, key: string, value: JsonValue, sink: HarvestSink) {
  if (key === 'inlineData' || key === 'inline_data') {
    if (!isJsonObject(value)) return null;
    const type = value.mimeType ?? value.mime_type;
    return withStoredData(value, typeof type === 'string' ? type : null, sink);
  }
  if (ADDRESSES.has(key)) return fromAddresses(value, sink);
  if (key === 'b64_json') {
    const data = readBase64(value);
    return data === null ? null : mediaReference(sink.add(data.base64, data.type, 'image'));
  }
  if (key === 'message' && isJsonObject(value) && isJsonObject(value.audio)) {
    const audio = withStoredData(value.audio, audioType(value.audio), sink, 'answer');
    return audio === null ? null : { ...value, audio };
  }
  if (key === 'delta' && isJsonObject(value) && isJsonObject(value.audio)) {
    const { audio } = value;
    const piece = base64Piece(audio.data);
    // Nothing is no piece.
    if (piece === '') return null;
    // Streams carry raw samples unless they name a format.
    const type = audioType(audio) ?? 'audio/pcm';
    const id = sink.append(`choice ${parent.index ?? 0}`, piece, type, 'answer');
    return { ...value, audio: { ...audio, data: mediaReference(id) } };
  }
  return null;
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

/** Null where it is neither an address nor a list with some: what is inside is looked at by itself. */
function fromAddresses(value: JsonValue, sink: HarvestSink): JsonValue | null {
  if (Array.isArray(value)) {
    if (!value.some((item) => typeof item === 'string' && readDataUrl(item) !== null)) return null;
    return value.map((item) => (typeof item === 'string' ? fromAddress(item, sink) : item));
  }
  return typeof value === 'string' ? fromAddress(value, sink) : null;
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
