/** Folds speech events into a speech state and describes the state. */
import { isJsonObject, type JsonObject } from '../../json.ts';
import { isRawAudio, type Media } from '../../media.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent } from '../../run.ts';
import type { Operation } from '../operation.ts';
import {
  emptyResponse,
  flattenFacts,
  listKnownFacts,
  previewLine,
} from '../response/describe-response.ts';
import { getBilledTokens, getSeconds, readUsage, type Usage } from '../response/usage.ts';
import { addWarnings, getContentType, MORE_AUDIO, readSentFields } from '../response/values.ts';
import type { SpeechRequest } from './request.ts';

export type SpeechFormat = 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm';

export type SpeechState = {
  /** Set from the first byte; `complete` is false and measurements are missing while streaming. */
  media: Media | null;
  firstByteAtMs: number | null;
  /** Up to 250 ms behind while streaming. */
  receivedBytes: number;
  contentType: string | null;
  requestedFormat: string | null;
  characterCount?: number;
  /** Detected from the bytes; for raw PCM, from the request or header. Null if unknown. */
  receivedFormat: SpeechFormat | null;
  /** The stream's event count and whether the last event arrived; undefined if not streamed. */
  pieceCount?: number;
  ended?: boolean;
  /** From the last event or from JSON with the audio; undefined if there was none. */
  usage?: Usage & JsonObject;
  warnings: string[];
};

export const emptySpeechState: SpeechState = {
  media: null,
  firstByteAtMs: null,
  receivedBytes: 0,
  contentType: null,
  requestedFormat: null,
  receivedFormat: null,
  warnings: [],
};

function fold(state: SpeechState, event: RunEvent): SpeechState {
  switch (event.kind) {
    case 'request': {
      const { response_format: format, input } = readSentFields(event);
      return {
        ...state,
        ...(typeof format === 'string' && { requestedFormat: format }),
        ...(typeof input === 'string' && { characterCount: Array.from(input).length }),
      };
    }
    case 'chunk':
      return event.comment ? state : foldPiece(state, parseJson(event.data));
    case 'body':
      return foldUsage(state, parseJson(event.text));
    case 'response':
      return { ...state, contentType: getContentType(event) };
    case 'progress':
      return event.direction === 'download' ? { ...state, receivedBytes: event.doneBytes } : state;
    case 'media':
      return foldMedia(state, event.media, event.atMs);
    default:
      return state;
  }
}

/** Ignores audio in `speech.audio.delta` events, because the media store has the bytes. */
function foldPiece(state: SpeechState, piece: unknown): SpeechState {
  if (!isJsonObject(piece)) return state;
  const isLast = typeof piece.type === 'string' && piece.type.endsWith('audio.done');
  return {
    ...foldUsage(state, piece),
    pieceCount: (state.pieceCount ?? 0) + 1,
    ended: isLast || state.ended === true,
  };
}

function foldUsage(state: SpeechState, body: unknown): SpeechState {
  const usage = isJsonObject(body) && isJsonObject(body.usage) ? readUsage(body.usage) : null;
  return usage === null ? state : { ...state, usage };
}

function foldMedia(state: SpeechState, media: Media, atMs: number): SpeechState {
  const receivedFormat = getFormat(media, state);
  const next: SpeechState = {
    ...state,
    media,
    firstByteAtMs: state.firstByteAtMs ?? atMs,
    receivedBytes: media.sizeBytes,
    receivedFormat,
  };
  if (!media.complete) return next;
  return addWarnings(next, formatWarnings(media, receivedFormat, state.requestedFormat));
}

const FORMATS: Record<string, SpeechFormat> = {
  'audio/mpeg': 'mp3',
  'audio/ogg': 'opus',
  'audio/webm': 'opus',
  'audio/aac': 'aac',
  'audio/mp4': 'aac',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
};

function getFormat(
  { type }: Media,
  { requestedFormat, contentType }: SpeechState,
): SpeechFormat | null {
  const marked = FORMATS[type];
  if (marked) return marked;
  if (isRawAudio(type)) return 'pcm';
  const isUnmarked = type === 'application/octet-stream';
  return isUnmarked && (requestedFormat === 'pcm' || isRawAudio(contentType ?? '')) ? 'pcm' : null;
}

function formatWarnings(
  { type, durationSeconds, sampleRate, isCut = false, hasMore = false }: Media,
  received: SpeechFormat | null,
  requested: string | null,
): string[] {
  if (received === null) {
    return [`Unknown audio format (${type}). You can still download it.`];
  }
  const warnings: string[] = [];
  if (requested !== null && requested !== received) {
    warnings.push(`Requested ${requested}, received ${received}.`);
  }
  // A header without a duration still proves that the compressed audio is readable.
  const isUnmeasured = durationSeconds === null && sampleRate === null;
  if (isCut || (received !== 'pcm' && isUnmeasured)) {
    warnings.push('The audio is incomplete or damaged.');
  }
  if (hasMore) warnings.push(MORE_AUDIO);
  return warnings;
}

export const speechOperation: Operation<SpeechRequest, SpeechState> = {
  method: 'POST',
  path: '/v1/audio/speech',
  draft: { voice: 'alloy' },
  // OpenAI takes custom voices as an object: https://platform.openai.com/docs/guides/text-to-speech
  renamable: { voice: ['voice.id'], instructions: [] },
  followable: false,
  readsLists: false,
  initialState: emptySpeechState,
  fold,
  hasNewOutput: (before, after) =>
    (before.media === null && after.media !== null) || before.pieceCount !== after.pieceCount,
  figures: ({ usage = null }) => ({ model: null, usage, finishReasons: [] }),
  noResult: ({ media }) => {
    if (media === null) return 'The response has no audio.';
    const isSilent = media.sizeBytes === 0 || media.durationSeconds === 0;
    return isSilent ? 'The audio is empty.' : null;
  },
  // If there is no audio, the gateway may not have billed the text.
  quantities: ({ media: sound, characterCount = null, usage }, media) => ({
    ...getBilledTokens(usage),
    characters: sound === null ? null : characterCount,
    soundSeconds: getSeconds(media, 'audio'),
  }),
  rest: ({ ended }) => (ended ? 'nothing' : 'more'),
  phase: () => initialPhase,
  response: ({ warnings, usage = {} }) => ({
    ...emptyResponse,
    warnings,
    facts: listKnownFacts(flattenFacts(usage)),
  }),
  codeResponse: (_state, sent) => {
    const { response_format: format, stream_format: streamFormat } = isJsonObject(sent) ? sent : {};
    if (streamFormat === 'sse') return { kind: 'stream' };
    return { kind: 'file', name: `speech.${typeof format === 'string' ? format : 'mp3'}` };
  },
  preview: ({ input }) => previewLine(input),
};
