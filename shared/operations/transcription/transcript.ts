/** Parses a transcript from JSON, subtitles or plain text. */
import { isJsonObject, type JsonObject, type JsonValue, startsAsJson } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { readNumber, readString, toDisplayText, type Warn } from '../response/values.ts';
import { convertToSeconds } from './milliseconds.ts';
import type { TranscriptionFormat, TranscriptSegment, TranscriptWord } from './state.ts';
import { detectSubtitleFormat, readSubtitles } from './subtitles.ts';

export interface Transcript {
  format: TranscriptionFormat;
  text: string;
  language: string | null;
  durationSeconds: number | null;
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  unreadable: boolean;
}

/** Never throws, whatever the gateway sent; `soundSeconds` is null if the duration is unknown. */
export function readTranscript(
  response: string,
  soundSeconds: number | null,
  warn: Warn,
): Transcript {
  const text = response
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '')
    .trim();
  const json = /^[{["]/.test(text) ? parseJson(text) : undefined;
  if (isJsonObject(json)) return readJson(json, soundSeconds, warn);
  // Some gateways return a bare list of segments.
  if (Array.isArray(json) && json.some(isJsonObject)) {
    return readJson({ segments: json }, soundSeconds, warn);
  }
  if (startsAsJson(text)) return { ...nothing, format: 'json', text: '', unreadable: true };
  return readText(typeof json === 'string' ? json.trim() : text);
}

export function readText(text: string): Transcript {
  const format = detectSubtitleFormat(text);
  if (format === null) return { ...nothing, format: 'text', text };
  const segments = readSubtitles(text);
  return {
    ...nothing,
    format,
    text: joinSegments(segments),
    segments,
    durationSeconds: getLastEnd(segments),
  };
}

const nothing = {
  language: null,
  durationSeconds: null,
  segments: [],
  words: [],
  unreadable: false,
};

function readJson(response: JsonObject, soundSeconds: number | null, warn: Warn): Transcript {
  const { segments, words, durationSeconds, ...rest } = readTranscriptJson(response, warn);
  return { ...rest, ...convertToSeconds({ segments, words, durationSeconds }, soundSeconds, warn) };
}

/** Times are as received, so they may be in milliseconds. */
export function readTranscriptJson(response: JsonObject, warn: Warn): Transcript {
  const layers = getLayers(response);
  const first = (name: string) =>
    layers.find((layer) => layer[name] !== undefined && layer[name] !== null)?.[name];
  const segments = first('segments');
  const timed = {
    segments: sortSegments(readSegments(segments, warn), warn),
    words: readWords(first('words'), segments, warn),
    durationSeconds: readNumber(first('duration')),
  };
  const text =
    readString(first('text'), 'text', warn)?.trim() ??
    (joinText(segments, timed.segments) || getText(first('words')));
  const language = readString(first('language'), 'language', warn);
  const isVerbose =
    Array.isArray(first('segments')) ||
    Array.isArray(first('words')) ||
    timed.durationSeconds !== null ||
    first('task') !== undefined;
  // Some gateways wrap requested subtitles in JSON.
  const inner = isVerbose ? null : detectSubtitleFormat(text);
  if (inner !== null) return { ...readText(text), format: 'json', language };
  return {
    ...timed,
    format: timed.segments.some(({ speaker }) => speaker !== undefined)
      ? 'diarized_json'
      : isVerbose
        ? 'verbose_json'
        : 'json',
    text,
    language,
    durationSeconds: timed.durationSeconds ?? readUsedSeconds(first('usage')),
    unreadable: ['text', 'segments', 'words'].every((name) => first(name) === undefined),
  };
}

/** Searches the same wrappers as for the text. */
export function findUsage(response: JsonObject): JsonValue | undefined {
  return getLayers(response).find(({ usage }) => isJsonObject(usage))?.usage;
}

const WRAPPERS = new Set(['data', 'result', 'output', 'response', 'transcript', 'transcription']);

/** Reads gateway wrappers; any other object counts only if its items have timestamps. */
function getLayers(response: JsonObject): JsonObject[] {
  const inner = Object.entries(response).flatMap(([name, value]): JsonObject[] => {
    if (!isJsonObject(value)) return [];
    const isWrapper = response.text === undefined && typeof value.text === 'string';
    if (isWrapper || WRAPPERS.has(name)) return [value];
    const { segments, words } = flatten(value);
    return [{ ...(isTimed(segments) && { segments }), ...(isTimed(words) && { words }) }];
  });
  return [response, ...inner].map(flatten);
}

function isTimed(value: JsonValue | undefined): value is JsonValue[] {
  const items = Array.isArray(value) ? value : [];
  return items.length > 0 && items.every((item) => isJsonObject(item) && getTimes(item) !== null);
}

/**
 * Alternative names:
 * https://huggingface.co/docs/inference-providers/tasks/automatic-speech-recognition
 */
const SEGMENT_LISTS = ['chunks', 'utterances'];

function flatten(layer: JsonObject): JsonObject {
  const { words } = layer;
  const segments = layer.segments ?? SEGMENT_LISTS.map((name) => layer[name]).find(isTimed);
  return {
    ...layer,
    ...(segments !== undefined && { segments: unnest(unwrap(segments) ?? null) }),
    ...(words !== undefined && { words: unnest(words) }),
  };
}

/** Doesn't merge overlapping segments. */
function sortSegments(segments: TranscriptSegment[], warn: Warn): TranscriptSegment[] {
  const sorted = segments.toSorted((a, b) => a.start - b.start);
  if (sorted.some((segment, at) => segment !== segments[at])) {
    warn('The segments weren’t in order. Gatehouse sorted them by time.');
  }
  return sorted;
}

const MAX_DEPTH = 8;

/** Some gateways split long audio into parts, which contain the segments. */
function unnest(value: JsonValue, depth = 0): JsonValue {
  if (!Array.isArray(value) || depth > MAX_DEPTH) return value;
  return value.flatMap((item): JsonValue[] => {
    const part = isJsonObject(item) && readStart(item) === null ? item : null;
    const list = unnest(unwrap(part?.segments) ?? item, depth + 1);
    return Array.isArray(list) ? withWords(list, part?.words) : [item];
  });
}

/** Returns the list in `{"segments": […]}`, which some gateways send in place of a list. */
function unwrap(value: JsonValue | undefined, depth = 0): JsonValue | undefined {
  const isWrapper = isJsonObject(value) && value.segments !== undefined && depth < MAX_DEPTH;
  return isWrapper ? unwrap(value.segments, depth + 1) : value;
}

/** Assigns a part's words to its first segment. */
function withWords(segments: JsonValue[], words: JsonValue | undefined): JsonValue[] {
  const [first, ...others] = segments;
  const haveWords = segments.some((segment) => isJsonObject(segment) && segment.words != null);
  if (!Array.isArray(words) || haveWords || !isJsonObject(first)) return segments;
  return [{ ...first, words }, ...others];
}

function readSegments(value: JsonValue | undefined, warn: Warn): TranscriptSegment[] {
  return readTimed(value, 'segments', warn, (item, start, end, position) => {
    const speaker = readSpeaker(item);
    const id = typeof item.id === 'string' && item.id !== '' ? item.id : readNumber(item.id);
    return {
      id: id ?? position,
      start,
      end,
      text: typeof item.text === 'string' ? item.text.trim() : '',
      ...(speaker !== null && { speaker }),
    };
  });
}

const SPEAKERS = ['speaker', 'speaker_id', 'speaker_label', 'speakerId'];

function readSpeaker(item: JsonObject): string | null {
  const value = SPEAKERS.map((name) => item[name]).find((name) => name !== undefined);
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  const number = readNumber(value);
  return number === null ? null : String(number);
}

const TIMES = [
  ['start', 'end'],
  ['start_time', 'end_time'],
  ['startTime', 'endTime'],
] as const;

/** Reads start and end times, including `"timestamp": [0, 1.5]`; null if there are none. */
export function getTimes(item: JsonObject): readonly (JsonValue | undefined)[] | null {
  const pair = TIMES.find(([start]) => item[start] !== undefined);
  if (pair !== undefined) return pair.map((name) => item[name]);
  return Array.isArray(item.timestamp) ? item.timestamp : null;
}

function readStart(item: JsonObject): number | null {
  return readNumber(getTimes(item)?.[0]);
}

/** Reads words at the top level or in segments. */
function readWords(
  own: JsonValue | undefined,
  segments: JsonValue | undefined,
  warn: Warn,
): TranscriptWord[] {
  const nested = Array.isArray(segments)
    ? segments.flatMap((item) =>
        isJsonObject(item) && Array.isArray(item.words) ? item.words : [],
      )
    : [];
  const value = own === undefined && nested.length > 0 ? nested : own;
  return readTimed(value, 'words', warn, (item, start, end) => ({
    word: toDisplayText(item.word ?? item.text ?? '').trim(),
    start,
    end,
  }));
}

function readTimed<Item>(
  value: JsonValue | undefined,
  name: string,
  warn: Warn,
  read: (item: JsonObject, start: number, end: number, position: number) => Item,
): Item[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    warn(`The ${name} aren’t a list.`);
    return [];
  }
  return value.flatMap((item, position): Item[] => {
    const start = isJsonObject(item) ? readStart(item) : null;
    if (!isJsonObject(item) || start === null) {
      warn(`Some ${name} have no timestamps and were skipped.`);
      return [];
    }
    const end = readNumber(getTimes(item)?.[1]) ?? start;
    return [read(item, start, Math.max(start, end), position)];
  });
}

/** Reads the duration from usage such as `{"type": "duration", "seconds": 9}`. */
function readUsedSeconds(usage: JsonValue | undefined): number | null {
  return isJsonObject(usage) ? readNumber(usage.seconds) : null;
}

/** Sorts by time, unless a segment has no timestamp. */
function joinText(received: JsonValue | undefined, timed: TranscriptSegment[]): string {
  const count = Array.isArray(received) ? received.length : 0;
  return count > timed.length ? getText(received) : joinSegments(timed);
}

function getText(items: JsonValue | undefined): string {
  if (!Array.isArray(items)) return '';
  return items
    .map((item) => (isJsonObject(item) ? (item.text ?? item.word) : item))
    .flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : []))
    .join(' ');
}

export function joinSegments(segments: readonly TranscriptSegment[]): string {
  return segments
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(' ');
}

function getLastEnd(segments: TranscriptSegment[]): number | null {
  return segments.length === 0 ? null : Math.max(...segments.map(({ end }) => end));
}
