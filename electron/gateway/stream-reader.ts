/** Reads server-sent events and detects `[DONE]` and error objects. */
import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { StreamRest } from '../../shared/operations/operation.ts';
import { isFinishReason } from '../../shared/operations/response/finish-reason.ts';
import { isEndMark, readDocuments } from '../../shared/operations/response/json-documents.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { ExchangeObserver, Frame } from './exchange-types.ts';
import { reportsFailure } from './gateway-details.ts';
import type { Redactor } from './redactor.ts';

export interface StreamEnd {
  done: boolean;
  frameCount: number;
  /** Set if a frame of the stream was an error object. */
  error: { body: JsonObject; text: string } | null;
  unfinished: string | null;
  /** True if an event was larger than the limit, which ends the stream. */
  tooLarge: boolean;
  /** True if one of the last frames has a finish reason. */
  finished: boolean;
  rest: StreamRest;
}

interface StreamEvents {
  onDone(): void;
  onError(): void;
  onDeltas(count: number): void;
  /** Called after each read when only the end marker or the usage is missing. */
  onWhole(rest: 'usage' | 'nothing'): void;
  onMore(): void;
}

/** Even frames with base64 audio are smaller than this. */
const MAX_FRAME = 64 * 1024 * 1024;

/** Avoids parsing each frame twice; `"error"` is also a finish reason. */
const ERROR_FIELD = /"(?:error"|(?:errors|base_resp|code|error_code|success|detail)"\s*:)/;
const FINISH_REASON = /"finish_?[rR]eason"\s*:\s*"([^"]*)"/g;
/** A usage chunk and a few others may follow the chunk with the finish reason. */
const FINISH_WITHIN = 4;

export function readStream(
  observer: Pick<ExchangeObserver, 'chunks'>,
  redactor: Redactor,
  events: StreamEvents,
) {
  const state: StreamEnd = {
    done: false,
    frameCount: 0,
    error: null,
    unfinished: null,
    tooLarge: false,
    finished: false,
    rest: 'more',
  };
  const recent: string[] = [];
  let arrived: Frame[] = [];
  let room: Promise<void> | null = null;
  let ending = false;

  function deliver(frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    const { produced, rest, room: next = null } = observer.chunks(frames);
    room = next;
    if (produced > 0) events.onDeltas(produced);
    // Keep-alive comments don't reset the timeout.
    if (frames.every(({ comment }) => comment)) return;
    const before = state.rest;
    state.rest = rest;
    if (state.done || state.error !== null) return;
    if (rest === 'usage' || rest === 'nothing') events.onWhole(rest);
    else if (before !== rest) events.onMore();
  }

  function read(text: string): void {
    const hadError = state.error !== null;
    parser.feed(text);
    const frames = arrived;
    arrived = [];
    deliver(redactFrames(frames, redactor));
    if (!hadError && state.error !== null) events.onError();
    if (state.done) events.onDone();
  }

  function push(frame: Frame): void {
    if (state.done) return;
    const { data } = frame;
    arrived.push(frame);
    if (isEndMark(data)) state.done = true;
    else if (ending && readDocuments(data) === null) state.unfinished = data;
    else {
      recent[state.frameCount % FINISH_WITHIN] = data;
      state.frameCount += 1;
      const mayBeError = frame.event === 'error' || ERROR_FIELD.test(data);
      if (mayBeError && state.error === null) noteError(frame);
    }
  }

  function noteError(frame: Frame): void {
    const json = parseJson(frame.data);
    if (!reportsFailure(json) && frame.event !== 'error') return;
    const body = Array.isArray(json) ? json[0] : json;
    state.error = {
      body: isJsonObject(body) ? body : { error: { message: frame.data } },
      text: frame.data,
    };
  }

  const parser = createParser({
    maxBufferSize: MAX_FRAME,
    onEvent: ({ data, event }) => push({ data, event: event ?? null, comment: false }),
    onComment(comment) {
      if (!state.done) arrived.push({ data: comment, event: null, comment: true });
    },
    onError(problem) {
      if (problem.type === 'max-buffer-size-exceeded') {
        state.unfinished = problem.message;
        state.tooLarge = true;
        events.onDone();
      }
    },
  });

  return {
    write(text: string): void | Promise<void> {
      if (state.done || state.unfinished !== null) return undefined;
      room = null;
      read(text);
      return room ?? undefined;
    },
    end(): StreamEnd {
      ending = true;
      // Accept a complete last frame even if its trailing blank line is missing.
      if (!state.done && state.unfinished === null) read('\n\n');
      return { ...state, finished: recent.some(namesFinishReason) };
    },
  };
}

/** Searches the frames of one read together, because few have a secret. */
function redactFrames(frames: readonly Frame[], redactor: Redactor): readonly Frame[] {
  if (redactor.maxLength === 0 || frames.length === 0) return frames;
  const texts = frames.map(({ data, event }) => (event === null ? data : `${event}\n${data}`));
  if (redactor.find(texts.join('\n')).length === 0) return frames;
  return frames.map(({ data, event, comment }) => ({
    data: redactor.text(data),
    event: event === null ? null : redactor.text(event),
    comment,
  }));
}

function namesFinishReason(data: string): boolean {
  return [...data.matchAll(FINISH_REASON)].some(([, reason = '']) => isFinishReason(reason));
}
