/** Folds transcription events into a transcription state and describes the state. */
import { isJsonObject } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent, type RunEventOf } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { emptyResponse, knownFacts, previewLine } from '../response/describe-response.ts';
import { UNREADABLE } from '../response/finish-reason.ts';
import { addWarnings, sentFormField, sentSoundSeconds, type Warn } from '../response/values.ts';
import type { TranscriptionRequest } from './request.ts';
import { emptyTranscriptionState, type TranscriptionState } from './state.ts';
import { readTranscript } from './transcript.ts';

function fold(state: TranscriptionState, event: RunEvent): TranscriptionState {
  switch (event.kind) {
    case 'request':
      return foldRequest(state, event);
    case 'progress':
      return event.direction === 'upload' ? foldUpload(state, event) : state;
    case 'response':
      // An error page is not a transcript.
      return event.status < 300 ? { ...state, isAnswered: true } : state;
    case 'body':
      return state.isAnswered ? foldBody(state, event) : { ...state, raw: event.text };
    case 'chunk':
      return foldChunk(state, event);
    default:
      return state;
  }
}

function foldRequest(state: TranscriptionState, event: RunEventOf<'request'>): TranscriptionState {
  const soundSeconds = sentSoundSeconds(event);
  return {
    ...state,
    requestedFormat: sentFormField(event, 'response_format'),
    ...(soundSeconds !== null && { soundSeconds }),
  };
}

function foldUpload(
  state: TranscriptionState,
  { doneBytes, totalBytes, atMs }: RunEventOf<'progress'>,
): TranscriptionState {
  const isSent = totalBytes !== null && doneBytes >= totalBytes;
  return {
    ...state,
    upload: { doneBytes, totalBytes },
    uploadedAtMs: isSent ? (state.uploadedAtMs ?? atMs) : null,
  };
}

function foldBody(state: TranscriptionState, event: RunEventOf<'body'>): TranscriptionState {
  const response = parseJson(event.text);
  if (isJsonObject(response) && response.text === undefined && isError(response.error)) {
    return { ...state, raw: event.text };
  }
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const transcript = readTranscript(event.text, state.soundSeconds ?? null, warn);
  const { requestedFormat } = state;
  const isOther = requestedFormat !== null && requestedFormat !== transcript.format;
  // The format is not the problem if there is no transcript.
  if (isOther && !transcript.unreadable) {
    warn(`Requested ${requestedFormat}, received ${transcript.format}.`);
  }
  return addWarnings({ ...state, ...transcript, raw: event.text }, warnings);
}

function isError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false;
}

/** Reads streamed `transcript.text.delta` events, and the full `text` of the last event. */
function foldChunk(state: TranscriptionState, event: RunEventOf<'chunk'>): TranscriptionState {
  if (event.comment || event.data.trim() === '[DONE]') return state;
  const raw = `${state.raw}${event.data}\n`;
  const piece = parseJson(event.data);
  if (!isJsonObject(piece)) return { ...state, raw };
  if (typeof piece.text === 'string') {
    const sound = state.soundSeconds ?? null;
    const { format: _, ...transcript } = readTranscript(event.data, sound, () => undefined);
    return { ...state, ...transcript, format: 'json', raw };
  }
  if (typeof piece.delta !== 'string') return { ...state, raw };
  return { ...state, text: state.text + piece.delta, format: 'json', raw };
}

export const transcriptionOperation: Operation<TranscriptionRequest, TranscriptionState> = {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  draft: {},
  // The API spells the field without brackets; other gateways expect brackets.
  renamable: { timestamp_granularities: ['timestamp_granularities[]'] },
  followable: false,
  readsLists: false,
  initialState: emptyTranscriptionState,
  fold,
  produced: (before, after) => before.text !== after.text,
  figures: () => ({ model: null, usage: null, finishReasons: [] }),
  noResult: ({ text, segments, unreadable }) => {
    if (text.trim() !== '' || segments.length > 0) return null;
    return unreadable ? UNREADABLE : 'No speech was found in the audio.';
  },
  quantities: ({ isAnswered, soundSeconds, durationSeconds }) => ({
    soundSeconds: isAnswered ? (soundSeconds ?? durationSeconds) : null,
  }),
  rest: () => 'more',
  phase: () => initialPhase,
  response: ({ text, language, warnings }) => ({
    ...emptyResponse,
    text,
    warnings,
    facts: knownFacts([['language', language]]),
  }),
  codeResponse: () => ({ kind: 'text' }),
  preview: ({ file, prompt }, fileName) => previewLine(fileName?.(file) || prompt || 'Audio'),
};
