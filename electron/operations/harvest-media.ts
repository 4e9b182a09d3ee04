/** Takes base64 out of replies: what is recorded and shown names the stored medium instead. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';

export interface HarvestSink {
  /** Stores a whole file; returns the medium's id. `type` is as declared, null where it is not. */
  add(base64: string, type: string | null, stem: string): string;
  /** Stores one more piece of the file that `key` names; returns its id, the same for each piece. */
  append(key: string, base64: string, type: string | null, stem: string): string;
}

const ADDRESSES = new Set(['url', 'image_url', 'video_url', 'audio_url']);

/** The same value where nothing was stored. */
export type Harvest = (json: JsonValue, sink: HarvestSink) => JsonValue;

/** Deeper than any reply; what is nested deeper stays unchanged. */
const DEEPEST = 48;
/** Looked for one by one: a pattern for all of them would overflow the matcher's stack on a video. */
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;
const DATA_URL_HEAD = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64$/;

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
  if (ADDRESSES.has(key)) return typeof value === 'string' ? fromDataUrl(value, sink) : null;
  if (key === 'b64_json') {
    return isBase64(value) ? mediaReference(sink.add(value, null, 'image')) : null;
  }
  if (key === 'message' && isJsonObject(value) && isJsonObject(value.audio)) {
    const audio = withStoredData(value.audio, audioType(value.audio), sink, 'answer');
    return audio === null ? null : { ...value, audio };
  }
  if (key === 'delta' && isJsonObject(value) && isJsonObject(value.audio)) {
    const { audio } = value;
    if (typeof audio.data !== 'string' || NOT_BASE64.test(audio.data)) return null;
    // A stream may cut its base64 anywhere, but nothing is no piece.
    if (audio.data === '') return null;
    // Streams carry raw samples unless they name a format.
    const type = audioType(audio) ?? 'audio/pcm';
    const id = sink.append(`choice ${parent.index ?? 0}`, audio.data, type, 'answer');
    return { ...value, audio: { ...audio, data: mediaReference(id) } };
  }
  return null;
}

function withStoredData(
  holder: JsonObject,
  type: string | null,
  sink: HarvestSink,
  stem = stemOf(type),
): JsonObject | null {
  const { data } = holder;
  if (!isBase64(data)) return null;
  return { ...holder, data: mediaReference(sink.add(data, type, stem)) };
}

function fromDataUrl(text: string, sink: HarvestSink): string {
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1;
  const head = comma === -1 ? null : DATA_URL_HEAD.exec(text.slice(0, comma));
  const base64 = text.slice(comma + 1);
  if (head === null || !isBase64(base64)) return text;
  const type = head[1] ?? null;
  return mediaReference(sink.add(base64, type, stemOf(type)));
}

function isBase64(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length >= 4 && !NOT_BASE64.test(value);
}

function audioType({ format }: JsonObject): string | null {
  if (typeof format !== 'string' || format === '') return null;
  return format.startsWith('pcm') ? 'audio/pcm' : `audio/${format}`;
}

function stemOf(type: string | null): string {
  const [kind = ''] = type?.split('/') ?? [];
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
}
