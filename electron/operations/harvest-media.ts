/** Saves base64 files from responses as media items and replaces them with references. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { videoPlaces } from '../../shared/operations/video/video-links.ts';
import { readBareFile, readBase64, readBase64Piece, readDataUrl } from './base64-data.ts';

export interface HarvestSink {
  /** Saves a complete file and returns its media ID; `type` is the declared type or null. */
  add(base64: string, type: string | null, stem: string): string;
  /** Like `add`, but returns the same ID for the same bytes. */
  addOnce(base64: string, type: string | null, stem: string): string;
  /** Appends to the file identified by `key` and returns the same ID for each piece. */
  append(key: string, base64: string, type: string | null, stem: string): string;
  /** Called if the response contains the URL of the requested file. */
  refer(): void;
}

/** Fields with a URL or a list of URLs. */
const ADDRESSES = new Set(videoPlaces);
/** Content part fields with a URL or base64, in a list, or in an object under `CONTENTS`. */
const PARTS = new Set([
  ...['image_url', 'image', 'images', 'video_url', 'video', 'file', 'file_url', 'source'],
  ...['input_audio', 'output_audio', 'audio', 'audio_url'],
]);
const CONTENTS = new Set(['url', 'data', 'file_url']);
/** Vertex AI and the Gemini API return base64 in these fields of an operation. */
const VIDEO_BYTES = new Set(['bytesBase64Encoded', 'encodedVideo', 'videoBytes', 'video_base64']);
/** Matches types such as `generated_image`, whose content part may have a URL. */
const PART_TYPE = /image|audio|video|file/;
/** Excludes `file_citation` and `profile`, which may contain anything. */
const FILE_TYPE = /^(?:(?:in|out)put_)?(?:image|audio|video|file)(?:_url)?$/;

/** Returns the same value if nothing was saved; `isFrame` is true for a single stream event. */
export type Harvest = (json: JsonValue, sink: HarvestSink, isFrame: boolean) => JsonValue;

const MAX_DEPTH = 48;
/** Extracts labeled base64, and data URLs in URL fields and content parts, but never plain text. */
export const harvestMedia = createHarvest({ readsBare: false });

/** Chat content parts may have unlabeled base64: `"image_url": {"url": "iVBORw0…"}`. */
export const harvestAnswer = createHarvest({ readsBare: true });

function createHarvest({ readsBare }: Pick<Context, 'readsBare'>): Harvest {
  return (json, sink) => walk(json, { sink, readsBare }, 0, { name: '', isTyped: false });
}

/** Harvests that a thread can use, because they have no state. */
export const harvests = { media: harvestMedia, answer: harvestAnswer };
export type HarvestName = keyof typeof harvests;

export function findHarvestName(harvest: Harvest): HarvestName | null {
  if (harvest === harvestMedia) return 'media';
  return harvest === harvestAnswer ? 'answer' : null;
}

interface Context {
  sink: HarvestSink;
  readsBare: boolean;
}

interface Place {
  name: string;
  isTyped: boolean;
}

function walk(value: JsonValue, context: Context, depth: number, place: Place): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, context, depth + 1, place));
  if (!isJsonObject(value)) return value;
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const next =
      storeField(value, key, item, context, depth) ??
      walkField(value, key, item, context, depth + 1, place);
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

function storeField(
  parent: JsonObject,
  key: string,
  value: JsonValue,
  context: Context,
  depth: number,
): JsonValue | null {
  const { sink } = context;
  if (key === 'inlineData' || key === 'inline_data') {
    if (!isJsonObject(value)) return null;
    const type = value.mimeType ?? value.mime_type;
    const stem = parent.thought === true ? 'draft' : undefined;
    return storeHolder(value, typeof type === 'string' ? type : null, sink, stem);
  }
  if (key === 'b64_json') {
    const data = readBase64(value);
    return data === null ? null : createMediaReference(sink.add(data.base64, data.type, 'image'));
  }
  if (key === 'result' && parent.type === 'image_generation_call') {
    return storeGenerated(parent, value, sink, 'image');
  }
  if (key === 'partial_image_b64') return storeGenerated(parent, value, sink, 'draft');
  if (key === 'delta' && parent.type === 'response.audio.delta') {
    const piece = readBase64Piece(value);
    return piece === ''
      ? null
      : createMediaReference(sink.append('audio', piece, 'audio/pcm', 'answer'));
  }
  if (key === 'file_data') return storeData(value, null, sink);
  if (VIDEO_BYTES.has(key)) {
    const type = parent.mimeType ?? parent.mime_type ?? parent.encoding;
    return storeData(value, typeof type === 'string' ? type : null, sink);
  }
  if (key === 'data') {
    // A text content part may have `data` too: `{"type": "text", "data": "Words"}`.
    if (parent.type === 'text') return value;
    const type = parent.mime_type ?? parent.mimeType ?? parent.media_type;
    return typeof type === 'string' ? storeData(value, type, sink) : null;
  }
  if (isAudioPart(parent, key) && isJsonObject(value)) {
    return storeHolder(value, getAudioType(value), sink, 'audio');
  }
  if (key === 'message' && isJsonObject(value) && isJsonObject(value.audio)) {
    const audio = storeHolder(value.audio, getAudioType(value.audio), sink, 'answer');
    return audio === null ? null : walkMessage({ ...value, audio }, key, context, depth);
  }
  if (key === 'delta' && isJsonObject(value) && isJsonObject(value.audio)) {
    const { audio } = value;
    const piece = readBase64Piece(audio.data);
    if (piece === '') return null;
    // Streams contain raw samples unless a format is specified.
    const type = getAudioType(audio) ?? 'audio/pcm';
    const id = sink.append(`choice ${parent.index ?? 0}`, piece, type, 'answer');
    const stored = { ...audio, data: createMediaReference(id) };
    return walkMessage({ ...value, audio: stored }, key, context, depth);
  }
  return null;
}

/** The Responses format repeats a generated image in the last event. */
function storeGenerated(
  { output_format: format }: JsonObject,
  value: JsonValue,
  sink: HarvestSink,
  stem: string,
): string | null {
  const data = readBase64(value);
  if (data === null) return null;
  const type = typeof format === 'string' ? `image/${format}` : data.type;
  return createMediaReference(sink.addOnce(data.base64, type, stem));
}

function walkMessage(value: JsonObject, name: string, context: Context, depth: number): JsonValue {
  return walk(value, context, depth + 1, { name, isTyped: false });
}

function isAudioPart({ type }: JsonObject, key: string): boolean {
  return key === 'input_audio' || key === 'output_audio' || (key === 'audio' && type === 'audio');
}

function storeData(value: JsonValue, declared: string | null, sink: HarvestSink): string | null {
  const data = readBase64(value);
  if (data === null) return null;
  const type = declared ?? data.type;
  return createMediaReference(sink.add(data.base64, type, getStem(type)));
}

function storeHolder(
  holder: JsonObject,
  declared: string | null,
  sink: HarvestSink,
  stem?: string,
): JsonObject | null {
  const data = readBase64(holder.data);
  if (data === null) return null;
  const type = declared ?? data.type;
  return {
    ...holder,
    data: createMediaReference(sink.add(data.base64, type, stem ?? getStem(type))),
  };
}

function walkField(
  parent: JsonObject,
  key: string,
  value: JsonValue,
  context: Context,
  depth: number,
  place: Place,
): JsonValue {
  const isInPart = isContent(parent, key, place.name);
  const isTyped = isInPart && (place.isTyped || FILE_TYPE.test(getType(parent)));
  const inside = { name: key, isTyped };
  if (!isInPart && !ADDRESSES.has(key)) return walk(value, context, depth, inside);
  return walkContent(value, context, depth, inside, isInPart && context.readsBare);
}

function walkContent(
  value: JsonValue,
  context: Context,
  depth: number,
  place: Place,
  readsBare: boolean,
): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return mapItems(value, (item) => walkContent(item, context, depth + 1, place, readsBare));
  }
  if (typeof value !== 'string') return walk(value, context, depth, place);
  const data = readDataUrl(value) ?? (readsBare ? readBareFile(value, place.isTyped) : null);
  if (data === null) return value;
  return createMediaReference(context.sink.add(data.base64, data.type, getStem(data.type)));
}

function isContent(parent: JsonObject, key: string, place: string): boolean {
  // `storeField` handles a message's own audio.
  if (key === 'audio') return place !== 'message' && place !== 'delta';
  return (
    PARTS.has(key) || (CONTENTS.has(key) && (PARTS.has(place) || PART_TYPE.test(getType(parent))))
  );
}

function getType({ type }: JsonObject): string {
  return typeof type === 'string' ? type : '';
}

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

function getAudioType({ format }: JsonObject): string | null {
  if (typeof format !== 'string' || format === '') return null;
  return format.startsWith('pcm') ? 'audio/pcm' : `audio/${format}`;
}

function getStem(type: string | null): string {
  const [kind = ''] = type?.split('/') ?? [];
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
}
