/** Reads a Server-Sent Events body: frames to the observer, `[DONE]`, errors in the middle. */
import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { StreamRest } from '../../shared/operations/operation.ts';
import { isFinishReason } from '../../shared/operations/reply/finish-reason.ts';
import { isEndMark, readDocuments } from '../../shared/operations/reply/json-documents.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { ExchangeObserver, Frame } from './exchange-types.ts';
import { blockTrailTest, createFrameRedaction } from './frame-redaction.ts';
import type { Redactor } from './redactor.ts';

export interface StreamReader {
  write(text: string): void;
  /** The body is over. Delivers what is complete and returns how the stream ended. */
  end(): StreamEnd;
}

export interface StreamEnd {
  done: boolean;
  frameCount: number;
  /** An error object received as a frame. */
  error: { body: JsonObject; text: string } | null;
  /** A frame that ended in the middle; null where none did. */
  unfinished: string | null;
  /** One of the last frames named a finish reason. */
  finished: boolean;
  /** What was still to come. */
  rest: StreamRest;
}

interface StreamEvents {
  onDone(): void;
  onError(): void;
  onDelta(): void;
  /** After each frame from which on nothing but an end mark, or the usage, is awaited. */
  onWhole(rest: 'usage' | 'nothing'): void;
  /** Something is awaited after all. */
  onMore(): void;
}

/** More than any frame that is meant seriously, audio in base64 included. */
const LONGEST_FRAME = 64 * 1024 * 1024;

const FINISH_REASON = /"finish_?[rR]eason"\s*:\s*"([^"]*)"/g;
/** The usage chunk and others may follow the one with the finish reason. */
const FINISH_WITHIN = 4;

export function readStream(
  observer: Pick<ExchangeObserver, 'chunk'>,
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
  const screen = screenFor(redactor);
  const recent: string[] = [];
  let suspect = false;
  let ending = false;

  const redaction = createFrameRedaction(redactor, (frame) => {
    const { produced, rest } = observer.chunk(frame);
    if (produced) events.onDelta();
    // Keep-alive comments are no reason to wait.
    if (frame.comment) return;
    const before = state.rest;
    state.rest = rest;
    if (state.done || state.error !== null) return;
    if (rest === 'usage' || rest === 'nothing') events.onWhole(rest);
    else if (before !== rest) events.onMore();
  });

  function push(frame: Frame): void {
    if (state.done) return;
    screen.frameCompleted();
    const { data } = frame;
    if (isEndMark(data)) {
      state.done = true;
      redaction.push(frame, suspect);
      redaction.flush();
      events.onDone();
      return;
    }
    if (ending && readDocuments(data) === null) {
      state.unfinished = data;
      return;
    }
    recent[state.frameCount % FINISH_WITHIN] = data;
    state.frameCount += 1;
    if (
      state.error === null &&
      (frame.event === 'error' || (suspect && data.includes('"error"')))
    ) {
      noteError(frame);
    }
    redaction.push(frame, suspect);
  }

  function noteError(frame: Frame): void {
    const body = parseJson(frame.data);
    const named = isJsonObject(body) && body.error !== undefined && body.error !== null;
    if (!named && frame.event !== 'error') return;
    state.error = {
      body: isJsonObject(body) ? body : { error: { message: frame.data } },
      text: frame.data,
    };
    events.onError();
  }

  const parser = createParser({
    maxBufferSize: LONGEST_FRAME,
    onEvent: ({ data, event }) => push({ data, event: event ?? null, comment: false }),
    onComment(comment) {
      if (!state.done) redaction.push({ data: comment, event: null, comment: true }, true);
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
      if (state.done || state.unfinished !== null) return;
      suspect = screen.look(text);
      parser.feed(text);
    },
    end() {
      ending = true;
      suspect = true;
      // A last frame without its blank line counts if it is whole.
      if (!state.done && state.unfinished === null) parser.feed('\n\n');
      redaction.flush();
      return { ...state, finished: recent.some(namesFinishReason) };
    },
  };
}

function namesFinishReason(data: string): boolean {
  return [...data.matchAll(FINISH_REASON)].some(([, word = '']) => isFinishReason(word));
}

const ERROR_FIELD = /"error"/;

/** What makes a look at single frames necessary: an error, or the key or its beginning. */
function screenFor({ screen, secret }: Redactor): BlockScreen {
  const shortest = ERROR_FIELD.source.length;
  if (screen === null || secret === null) {
    return createBlockScreen((text) => ERROR_FIELD.test(text), shortest);
  }
  const core = new RegExp(screen.pattern);
  const mayBegin = blockTrailTest(secret);
  return createBlockScreen(
    (text) => core.test(text) || ERROR_FIELD.test(text) || mayBegin(text),
    Math.max(shortest, screen.reach + 2),
  );
}

/** Screens a stream a network block at a time, so that single frames need no look while nothing is suspicious. */

interface BlockScreen {
  /** Looks at the next block. Whether frames that are completed by it need a closer look. */
  look(text: string): boolean;
  /** A frame was completed: what is still open began in the latest block. */
  frameCompleted(): void;
}

/** `reach`: the longest text that `isSuspect` has to find where it lies across two blocks. */
function createBlockScreen(isSuspect: (text: string) => boolean, reach: number): BlockScreen {
  let tail = '';
  let latest = false;
  let earlier = false;

  return {
    look(text) {
      earlier ||= latest;
      // A short block is looked at together with the end of the last one, a long one without a copy.
      const edge = tail + (text.length > 4 * reach ? text.slice(0, reach) : text);
      latest = isSuspect(edge) || (text.length > 4 * reach && isSuspect(text));
      tail = (text.length > reach ? text : tail + text).slice(-reach);
      return latest || earlier;
    },
    frameCompleted() {
      earlier = latest;
    },
  };
}
