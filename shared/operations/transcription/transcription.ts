/** Folds transcription events into a transcription state and describes the state. */
import { isJsonObject, startsAsJson } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent, type RunEventOf } from '../../run.ts';
import type { Operation } from '../operation.ts';
import {
  emptyResponse,
  listKnownFacts,
  previewLine,
  streamOrText,
} from '../response/describe-response.ts';
import { UNREADABLE } from '../response/finish-reason.ts';
import { isEndMark, readDocuments } from '../response/json-documents.ts';
import { getBilledTokens, readUsage } from '../response/usage.ts';
import {
  addWarnings,
  isError,
  readSentAudioSeconds,
  readSentFormField,
  type Warn,
} from '../response/values.ts';
import type { TranscriptionRequest } from './request.ts';
import { emptyTranscriptionState, type TranscriptionState } from './state.ts';
import { addStreamEvent } from './stream.ts';
import { findUsage, readTranscript, type Transcript } from './transcript.ts';

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
      return event.comment ? state : foldData(state, event.data);
    case 'finish':
      return endText(state);
    default:
      return state;
  }
}

function foldRequest(state: TranscriptionState, event: RunEventOf<'request'>): TranscriptionState {
  const soundSeconds = readSentAudioSeconds(event);
  return {
    ...state,
    requestedFormat: readSentFormField(event, 'response_format'),
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
  if (EVENTS.test(event.text)) return foldUnlabeled(state, event.text);
  const isLines = response === undefined && startsAsJson(event.text);
  if (isLines && readDocuments(event.text) !== null) {
    return { ...endText(addStreamEvent(state, event.text)), raw: event.text };
  }
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const transcript = readTranscript(event.text, state.soundSeconds ?? null, warn);
  const { requestedFormat } = state;
  // If there is no transcript, the format isn't to blame.
  if (requestedFormat !== null && !transcript.unreadable && !fits(transcript, requestedFormat)) {
    warn(`Requested ${requestedFormat}, received ${transcript.format}.`);
  }
  const found = isJsonObject(response) ? findUsage(response) : undefined;
  const usage = isJsonObject(found) ? readUsage(found) : null;
  const next = { ...state, ...transcript, ...(usage !== null && { usage }), raw: event.text };
  return addWarnings(next, warnings);
}

/** Speakers extend `verbose_json`, and only segments have speakers. */
function fits({ format, segments, text }: Transcript, requested: string): boolean {
  if (requested === 'verbose_json' && format === 'diarized_json') return true;
  const isSilent = segments.length === 0 && text === '' && /json/.test(format);
  return format === requested || (requested === 'diarized_json' && isSilent);
}

/** Starts an event stream that isn't labeled as one. */
const EVENTS = /^(?:(?:event|id|retry):[^\n]*\n)*data:\s*[{[]/;

function foldUnlabeled(state: TranscriptionState, text: string): TranscriptionState {
  const lines = text.split(/\r\n|\r|\n/);
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
  const folded = data.reduce((before, piece) => foldData(before, piece), state);
  return { ...endText(folded), raw: text };
}

function foldData(state: TranscriptionState, data: string): TranscriptionState {
  return isEndMark(data) ? state : addStreamEvent(state, data);
}

function endText(state: TranscriptionState): TranscriptionState {
  return /\s$/.test(state.text) ? { ...state, text: state.text.trimEnd() } : state;
}

export const transcriptionOperation: Operation<TranscriptionRequest, TranscriptionState> = {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  draft: {},
  // The API's field name has no brackets; `addListBrackets` adds them if there are several values.
  renamable: { timestamp_granularities: ['timestamp_granularities[]'] },
  followable: false,
  readsLists: false,
  initialState: emptyTranscriptionState,
  fold,
  hasNewOutput: (before, after) =>
    before.text !== after.text || before.segments.length !== after.segments.length,
  figures: ({ usage = null }) => ({ model: null, usage, finishReasons: [] }),
  noResult: ({ text, segments, unreadable }) => {
    if (text.trim() !== '' || segments.length > 0) return null;
    return unreadable ? UNREADABLE : 'No speech was found in the audio.';
  },
  quantities: ({ isAnswered, soundSeconds, durationSeconds, usage }) => ({
    ...getBilledTokens(usage),
    soundSeconds: isAnswered ? (soundSeconds ?? durationSeconds) : null,
  }),
  rest: ({ isSettled }) => (isSettled ? 'unclear' : 'more'),
  phase: () => initialPhase,
  response: ({ text, language, warnings }) => ({
    ...emptyResponse,
    text,
    warnings,
    facts: listKnownFacts([['language', language]]),
  }),
  codeResponse: streamOrText,
  preview: ({ file, prompt }, fileName) => previewLine(fileName?.(file) || prompt || 'Audio'),
};
