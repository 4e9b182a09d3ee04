/** Folds responses and events of the Images API into an image state. */
import { getNumber } from '../../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { findReferencedMedia } from '../../../media.ts';
import { parseJson } from '../../../parse-json.ts';
import type { RunEvent, RunEventOf } from '../../../run.ts';
import type { StreamRest } from '../../operation.ts';
import { isEndMark, readDocuments } from '../../response/json-documents.ts';
import {
  addWarnings,
  readIndex,
  readString,
  upsertMedia,
  type Warn,
} from '../../response/values.ts';
import { type ImageCandidate, type ImagePart, type ImageState, isImage } from '../state.ts';

export function foldImages(state: ImageState, event: RunEvent): ImageState {
  switch (event.kind) {
    case 'body':
      return readDocument(state, parseJson(event.text));
    case 'chunk':
      if (event.comment || isEndMark(event.data)) return state;
      return (readDocuments(event.data) ?? []).reduce<ImageState>(
        (before, document) => readEvent(before, document, event.event),
        state,
      );
    case 'media':
      return addMedia(state, event);
    default:
      return state;
  }
}

/** Returns what the stream may still send; `sent` is the request body. */
export function getRestOfImages({ completed = 0 }: ImageState, sent: JsonObject): StreamRest {
  const count = Number(sent.n ?? 1);
  return completed >= (Number.isNaN(count) ? 1 : count) ? 'nothing' : 'more';
}

/** A gateway that sends groups of images ends each one with `partial_succeeded`. */
const IMAGE_EVENT = /^image_(?:generation|edit)\.(partial_image|partial_succeeded|completed)$/;

function readEvent(state: ImageState, event: JsonValue, name: string | null): ImageState {
  if (!isJsonObject(event)) return readDocument(state, event);
  const { type = name } = event;
  if (typeof type !== 'string' || Array.isArray(event.data)) return readDocument(state, event);
  if (type === 'error') return state;
  const kind = IMAGE_EVENT.exec(type)?.[1];
  if (kind === undefined) return { ...state, other: { ...state.other, [type]: event } };
  const warnings: string[] = [];
  const next = addImage(state, event, kind === 'partial_image', (text) => warnings.push(text));
  const { b64_json, url, type: _type, partial_image_index, image_index, ...facts } = event;
  const isEnd = kind === 'completed';
  return addWarnings(
    {
      ...addFacts(next, isEnd ? facts : {}),
      ...(isEnd && { completed: (state.completed ?? 0) + 1 }),
    },
    warnings,
  );
}

function readDocument(state: ImageState, response: unknown): ImageState {
  // Some gateways return the stream as one list.
  if (Array.isArray(response)) {
    return response.reduce<ImageState>((before, item) => readEvent(before, item, null), state);
  }
  if (!isJsonObject(response)) return state;
  const warnings: string[] = [];
  const warn: Warn = (text) => warnings.push(text);
  const { data, ...facts } = response;
  if (data !== undefined && data !== null && !Array.isArray(data)) warn('The data isn’t a list.');
  const items = Array.isArray(data) ? data.slice(0, MAX_CANDIDATES) : [];
  const next = items.reduce<ImageState>((before, item) => {
    const typed = isJsonObject(item)
      ? { output_format: facts.output_format ?? null, ...item }
      : item;
    return addImage(before, typed, false, warn);
  }, state);
  return addWarnings(addFacts(next, facts), warnings);
}

/** Limits the list, because a gateway may send an index in the billions. */
const MAX_CANDIDATES = 64;

/** Adds the response's facts, and puts all unknown fields into `other`. */
function addFacts(
  state: ImageState,
  { usage, model, created, created_at, error, revised_prompt, ...other }: JsonObject,
): ImageState {
  const kept = Object.entries(other).filter(([, value]) => value !== undefined && value !== null);
  return {
    ...state,
    ...(isJsonObject(usage) && { usage: addUsage(state.usage, usage) }),
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(kept.length > 0 && { other: { ...state.other, ...Object.fromEntries(kept) } }),
  };
}

/** Each streamed image reports its own usage. */
function addUsage(before: JsonObject | null, usage: JsonObject): JsonObject {
  if (before === null) return usage;
  const sum = (one: JsonValue | undefined, other: JsonValue): JsonValue => {
    if (isJsonObject(other)) return isJsonObject(one) ? addUsage(one, other) : other;
    const [first, second] = [getNumber(one), getNumber(other)];
    return first === null || second === null ? other : first + second;
  };
  const added = Object.entries(usage).map(([name, value]) => [name, sum(before[name], value)]);
  return { ...before, ...Object.fromEntries(added) };
}

function addImage(state: ImageState, item: JsonValue, isPreview: boolean, warn: Warn): ImageState {
  const { candidates } = state;
  const given = isJsonObject(item) ? readIndex(item.image_index) : null;
  const index = given ?? findOpen(candidates);
  const part = readImage(item, warn);
  if (index >= MAX_CANDIDATES || part === null) return state;
  const list = [...candidates];
  while (list.length <= index) list.push(emptyCandidate);
  const before = list[index] ?? emptyCandidate;
  const revisedPrompt = isJsonObject(item)
    ? (readString(item.revised_prompt, 'revised_prompt', warn) ?? before.revisedPrompt)
    : undefined;
  list[index] = {
    ...before,
    ...(revisedPrompt !== undefined && { revisedPrompt }),
    parts: [
      ...before.parts.map(retire),
      part.type === 'media' && isPreview ? { ...part, preview: true } : part,
    ],
  };
  return { ...state, candidates: list };
}

/** Returns the candidate whose image isn't final, or a new one. */
function findOpen(candidates: readonly ImageCandidate[]): number {
  const open = candidates.findIndex(({ parts }) => parts.every((part) => !isFinal(part)));
  return open === -1 ? candidates.length : open;
}

function isFinal(part: ImagePart): boolean {
  return part.type === 'unknown' || (isImage(part) && !(part.type === 'media' && part.preview));
}

/** Turns a preview that another image replaced into a draft. */
function retire(part: ImagePart): ImagePart {
  return part.type === 'media' && part.preview ? { ...part, thought: true } : part;
}

const emptyCandidate: ImageCandidate = {
  role: 'model',
  parts: [],
  finishReason: null,
  safetyRatings: [],
};

/** Base64 is already a reference; a URL stays a link until the file is downloaded. */
function readImage(item: JsonValue, warn: Warn): ImagePart | null {
  if (!isJsonObject(item)) return { type: 'unknown', raw: item };
  const { b64_json: data, url, output_format: format } = item;
  const mimeType = typeof format === 'string' && format !== '' ? `image/${format}` : '';
  if (typeof data === 'string' && data !== '') {
    const mediaId = findReferencedMedia(data);
    if (mediaId !== null) return { type: 'media', mediaId, mimeType };
    warn('A file in the response isn’t valid base64 and was skipped.');
    return null;
  }
  if (typeof url === 'string' && url !== '') {
    const mediaId = findReferencedMedia(url);
    if (mediaId !== null) return { type: 'media', mediaId, mimeType };
    return { type: 'link', url, mimeType: mimeType === '' ? 'image/png' : mimeType };
  }
  // The last event of a group of images has only the usage.
  return item.type === undefined ? { type: 'unknown', raw: item } : null;
}

/** Replaces a link with the downloaded file. */
function addMedia(state: ImageState, { media, url }: RunEventOf<'media'>): ImageState {
  const fill = (part: ImagePart): ImagePart => {
    if (part.type === 'link' && part.url === url) {
      return { type: 'media', mediaId: media.id, mimeType: media.type };
    }
    const isUntyped = part.type === 'media' && part.mediaId === media.id && part.mimeType === '';
    return isUntyped ? { ...part, mimeType: media.type } : part;
  };
  return {
    ...state,
    candidates: state.candidates.map((one) => ({ ...one, parts: one.parts.map(fill) })),
    media: upsertMedia(state.media, [media]),
  };
}
