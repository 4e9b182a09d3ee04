/** Reads a Server-Sent Events body: frames to the observer, `[DONE]`, errors in the middle. */
import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { StreamRest } from '../../shared/operations/operation.ts';
import { isFinishReason } from '../../shared/operations/reply/finish-reason.ts';
import { isEndMark, readDocuments } from '../../shared/operations/reply/json-documents.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { ExchangeObserver, Frame } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';

export interface StreamReader {
  /** Nothing more should be written until a promise that it answers resolves. */
  write(text: string): void | Promise<void>;
  /** The body is over. Delivers what is complete and returns how the stream ended. */
  end(): StreamEnd;
}

export interface StreamEnd {
  done: boolean;
  frameCount: number;
  /** An error object received as a frame. */
  error: { body: JsonObject; text: string } | null;
  /** A frame that ended in the middle; null if none did. */
  unfinished: string | null;
  /** One of the last frames named a finish reason. */
  finished: boolean;
  /** What was still to come. */
  rest: StreamRest;
}

interface StreamEvents {
  onDone(): void;
  onError(): void;
  onDeltas(count: number): void;
  /** After each read from which on nothing but an end mark, or the usage, is awaited. */
  onWhole(rest: 'usage' | 'nothing'): void;
  /** Something is awaited after all. */
  onMore(): void;
}

/** More than any frame that is meant seriously, audio in base64 included. */
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

  /** Hands over what was read, and says what that means for the rest. */
  function deliver(frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    const { produced, rest, room: next = null } = observer.chunks(frames);
    room = next;
    if (produced > 0) events.onDeltas(produced);
    // Keep-alive comments are not reason to wait.
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
    if (isEndMark(data)) {
      state.done = true;
      arrived.push(frame);
      return;
    }
    if (ending && readDocuments(data) === null) {
      state.unfinished = data;
      // Recorded as far as it came.
      arrived.push(frame);
      return;
    }
    recent[state.frameCount % FINISH_WITHIN] = data;
    state.frameCount += 1;
    if (state.error === null && (frame.event === 'error' || data.includes('"error"'))) {
      noteError(frame);
    }
    arrived.push(frame);
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
      // A last frame without its blank line counts if it is whole.
      if (!state.done && state.unfinished === null) read('\n\n');
      deliver(redaction.rest());
      return { ...state, finished: recent.some(namesFinishReason) };
    },
  };
}

function namesFinishReason(data: string): boolean {
  return [...data.matchAll(FINISH_REASON)].some(([, word = '']) => isFinishReason(word));
}
