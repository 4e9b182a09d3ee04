/** Reads a stream of server-sent events: passes them on, and finds `[DONE]` and errors among them. */
import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { StreamRest } from '../../shared/operations/operation.ts';
import { isFinishReason } from '../../shared/operations/response/finish-reason.ts';
import { isEndMark, readDocuments } from '../../shared/operations/response/json-documents.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { ExchangeObserver, Frame } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';

export interface StreamReader {
  /** Nothing more may be written until its promise resolves. */
  write(text: string): void | Promise<void>;
  /** Delivers what is complete and returns how the stream ended. */
  end(): StreamEnd;
}

export interface StreamEnd {
  done: boolean;
  frameCount: number;
  /** An error object received as a frame. */
  error: { body: JsonObject; text: string } | null;
  /** The frame that the end cut; null if there is none. */
  unfinished: string | null;
  /** One of the last frames has a finish reason. */
  finished: boolean;
  rest: StreamRest;
}

interface StreamEvents {
  onDone(): void;
  onError(): void;
  onDeltas(count: number): void;
  /** Called after each read if only an end mark, or the usage, is missing. */
  onWhole(rest: 'usage' | 'nothing'): void;
  /** Called if output is expected after all. */
  onMore(): void;
}

/** Larger than any real frame, audio in base64 included. */
const MAX_FRAME = 64 * 1024 * 1024;

const FINISH_REASON = /"finish_?[rR]eason"\s*:\s*"([^"]*)"/g;
/** The usage chunk and others may follow the one with the finish reason. */
const FINISH_WITHIN = 4;

export function readStream(
  observer: Pick<ExchangeObserver, 'chunks'>,
  redactor: Redactor,
  events: StreamEvents,
): StreamReader {
  const state: StreamEnd = {
    done: false,
    frameCount: 0,
    error: null,
    unfinished: null,
    finished: false,
    rest: 'more',
  };
  const redaction = redactor.stream();
  const recent: string[] = [];
  let arrived: Frame[] = [];
  let room: Promise<void> | null = null;
  let ending = false;

  function deliver(frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    const { produced, rest, room: next = null } = observer.chunks(frames);
    room = next;
    if (produced > 0) events.onDeltas(produced);
    // Keep-alive comments don't extend the wait.
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
    deliver(redaction.take(frames));
    if (state.done) deliver(redaction.rest());
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
      const mayBeError = frame.event === 'error' || data.includes('"error"');
      if (mayBeError && state.error === null) noteError(frame);
    }
  }

  function noteError(frame: Frame): void {
    const body = parseJson(frame.data);
    const named = isJsonObject(body) && body.error !== undefined && body.error !== null;
    if (!named && frame.event !== 'error') return;
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
        events.onDone();
      }
    },
  });

  return {
    write(text) {
      if (state.done || state.unfinished !== null) return undefined;
      room = null;
      read(text);
      return room ?? undefined;
    },
    end() {
      ending = true;
      // A last frame without its blank line counts if it is complete.
      if (!state.done && state.unfinished === null) read('\n\n');
      deliver(redaction.rest());
      return { ...state, finished: recent.some(namesFinishReason) };
    },
  };
}

function namesFinishReason(data: string): boolean {
  return [...data.matchAll(FINISH_REASON)].some(([, reason = '']) => isFinishReason(reason));
}
