/** Assembles a streamed transcript from text deltas, whole texts and segments. */
import { isJsonObject, type JsonObject, type JsonValue, startsAsJson } from '../../json.ts';
import { readDocuments } from '../response/json-documents.ts';
import { readUsage } from '../response/usage.ts';
import { addWarnings, toDisplayText, type Warn } from '../response/values.ts';
import { convertToSeconds, type TimedParts, toSeconds } from './milliseconds.ts';
import type { TranscriptionState, TranscriptSegment, TranscriptWord } from './state.ts';
import { addTextPiece, appendText, joinPieces, settleText, startsWithText } from './stream-text.ts';
import { detectSubtitleFormat } from './subtitles.ts';
import { getTimes, joinSegments, readText, readTranscriptJson } from './transcript.ts';

/** Later events don't replace streamed text, unless they contain the whole text. */
export function addStreamEvent(state: TranscriptionState, data: string): TranscriptionState {
  const received = { ...state, raw: `${state.raw}${data}\n` };
  const documents = readDocuments(data);
  const [first] = documents ?? [];
  // Plain text may parse as JSON, such as a number or `null`.
  const isText = first === undefined || typeof first !== 'object' || first === null;
  if (documents === null || (isText && typeof first !== 'string')) return addPlain(received, data);
  return documents.reduce(addDocument, received);
}

function addDocument(state: TranscriptionState, piece: JsonValue): TranscriptionState {
  if (typeof piece === 'string') return addDelta(state, piece);
  if (Array.isArray(piece)) return addWhole(state, { segments: piece }, false);
  if (!isJsonObject(piece)) return state;
  const usage = isJsonObject(piece.usage) ? readUsage(piece.usage) : null;
  return addObject(usage === null ? state : { ...state, usage }, piece);
}

function addObject(state: TranscriptionState, piece: JsonObject): TranscriptionState {
  const [choice] = Array.isArray(piece.choices) ? piece.choices : [];
  if (isJsonObject(choice)) {
    // vLLM: https://github.com/vllm-project/vllm/issues/49116
    const message = isJsonObject(choice.message) ? readContent(choice.message) : null;
    if (message !== null) return addFinal(state, message);
    return addDelta(state, readContent(isJsonObject(choice.delta) ? choice.delta : choice) ?? '');
  }
  const delta = isJsonObject(piece.delta) ? readContent(piece.delta) : piece.delta;
  if (typeof delta === 'string') return addDelta(state, delta);
  const segment = [piece, piece.segment, piece.data].find(isSegment);
  if (segment !== undefined) return addWhole(state, { segments: [segment] }, false);
  return addWhole(state, piece, isFinal(piece));
}

function isSegment(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value) || Array.isArray(value.segments)) return false;
  return typeof value.text === 'string' && getTimes(value) !== null;
}

/** Recognizes final events such as `transcript.text.done` or `is_final: true`. */
function isFinal({ type, is_final, final, done }: JsonObject): boolean {
  const isNamed = typeof type === 'string' && /(?:done|final|completed?)$/i.test(type);
  return isNamed || [is_final, final, done].includes(true);
}

function readContent({ content, text }: JsonObject): string | null {
  const value = content ?? text;
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  return value.map((part) => toDisplayText((isJsonObject(part) ? part.text : part) ?? '')).join('');
}

function addDelta(state: TranscriptionState, delta: string): TranscriptionState {
  if (delta === '') return state;
  const { streamed = 'deltas' } = state;
  const join = streamed === 'deltas' ? appendText : joinPieces;
  return { ...setFormat(state, 'json'), text: join(state.text, delta), streamed: 'deltas' };
}

/** Text that isn't JSON can be subtitles, deltas with spaces, or complete segments. */
function addPlain(state: TranscriptionState, data: string): TranscriptionState {
  if (startsAsJson(data)) return state;
  if (detectSubtitleFormat(state.raw) !== null) {
    const { format, text, segments, durationSeconds } = readText(state.raw);
    return { ...state, format, text, segments, durationSeconds, streamed: 'segments' };
  }
  const next = setFormat(state, 'text');
  if (state.streamed === 'deltas') return { ...next, text: appendText(state.text, data) };
  if (!/^\s|\s$/.test(data)) {
    return { ...next, text: joinPieces(state.text, data), streamed: 'texts' };
  }
  // The earlier pieces were deltas too.
  const pieces = state.format === 'text' ? state.raw.replaceAll('\n', '') : state.text + data;
  return { ...next, text: appendText('', pieces), streamed: 'deltas' };
}

function setFormat(state: TranscriptionState, format: 'json' | 'text'): TranscriptionState {
  return state.format === 'unknown' ? { ...state, format } : state;
}

function addFinal(state: TranscriptionState, text: string): TranscriptionState {
  const settled = settleText(state.text, text.trim());
  return { ...setFormat(state, 'json'), text: settled, isSettled: true };
}

/** Adds a complete document, as in a non-streamed response. */
function addWhole(
  state: TranscriptionState,
  piece: JsonObject,
  isLast: boolean,
): TranscriptionState {
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const { format, text, language, durationSeconds, segments, words, unreadable } =
    readTranscriptJson(piece, warn);
  const named = language === null ? state : { ...state, language };
  if (unreadable) return named;
  const timed = addTimed(named, { segments, words, durationSeconds }, isLast, warn);
  const isDiarized = timed.segments.some(({ speaker }) => speaker !== undefined);
  const next: TranscriptionState = {
    ...timed,
    format: isDiarized ? 'diarized_json' : timed.segments.length > 0 ? 'verbose_json' : format,
  };
  return addWarnings(addWholeText(next, text, segments.length > 0, isLast), warnings);
}

function addWholeText(
  state: TranscriptionState,
  text: string,
  hasSegments: boolean,
  isLast: boolean,
): TranscriptionState {
  const { streamed = hasSegments ? 'segments' : 'texts' } = state;
  if (isLast) return addFinal(state, text);
  // The deltas already contain the segments' text.
  if (streamed === 'deltas' && !hasSegments) return addFinal(state, text);
  if (streamed === 'deltas') {
    return /[.!?…]$/.test(state.text) ? { ...state, text: `${state.text} ` } : state;
  }
  if (state.streamed === 'segments' && hasSegments) {
    return { ...state, text: joinSegments(state.segments) };
  }
  const next = state.streamed === 'segments' ? 'texts' : streamed;
  return { ...state, text: addTextPiece(state.text, text), streamed: next };
}

function addTimed(
  state: TranscriptionState,
  added: TimedParts,
  isLast: boolean,
  warn: Warn,
): TranscriptionState {
  const end = Math.max(0, ...[...added.segments, ...added.words].map((item) => item.end));
  const { segments, words, durationSeconds } = state.isInMilliseconds
    ? toSeconds(added, end)
    : added;
  const known = Math.max(state.durationSeconds ?? 0, durationSeconds ?? 0);
  const merged: TimedParts = {
    segments: mergeSegments(state.segments, segments, isLast),
    words: mergeWords(state.words, words, isLast),
    durationSeconds: known === 0 ? null : known,
  };
  if (state.isInMilliseconds || merged.segments.length + merged.words.length === 0) {
    return { ...state, ...merged };
  }
  const timed = convertToSeconds(merged, state.soundSeconds ?? null, warn);
  return { ...state, ...timed, ...(timed !== merged && { isInMilliseconds: true }) };
}

/** The last event may contain all segments with different boundaries. */
function mergeSegments(
  before: TranscriptSegment[],
  added: TranscriptSegment[],
  isLast: boolean,
): TranscriptSegment[] {
  if (isLast && added.length >= before.length) return added;
  let segments = before;
  for (const [index, segment] of added.entries()) {
    const at = segments.findLastIndex(
      ({ start, speaker }) => start === segment.start && isSame(speaker, segment.speaker),
    );
    const known = segments[at];
    if (known !== undefined && startsWithText(segment.text, known.text)) {
      const id = segment.id === index ? known.id : segment.id;
      segments = segments.with(at, { ...known, ...segment, id });
    } else if (known?.end !== segment.end || !startsWithText(known.text, segment.text)) {
      // Without segment IDs, each event counts from 0.
      const id = segment.id === index ? segments.length : segment.id;
      segments = [...segments, { ...segment, id }];
    }
  }
  const isSorted = segments.every(({ start }, at) => start >= (segments[at - 1]?.start ?? 0));
  return isSorted ? segments : segments.toSorted((a, b) => a.start - b.start);
}

/** Some events omit the speaker. */
function isSame(speaker: string | undefined, other: string | undefined): boolean {
  return speaker === undefined || other === undefined || speaker === other;
}

function mergeWords(
  before: TranscriptWord[],
  added: TranscriptWord[],
  isLast: boolean,
): TranscriptWord[] {
  if (added.length === 0) return before;
  if (isLast && added.length >= before.length) return added;
  const fresh = added.filter(
    ({ start, word }) => !before.some((known) => known.start === start && known.word === word),
  );
  return [...before, ...fresh];
}
