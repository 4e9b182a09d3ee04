/** Reads server-sent events and detects `[DONE]` and error objects. */
import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { StreamRest } from '../../shared/operations/operation.ts';
import { isFinishReason } from '../../shared/operations/response/finish-reason.ts';
import { isEndMark, readDocuments } from '../../shared/operations/response/json-documents.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { ExchangeObserver, Frame } from './exchange-types.ts';
import { createFrameScan, mayReportError } from './frame-scan.ts';
import { reportsFailure } from './gateway-details.ts';

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
  let scan = createFrameScan();
  let arrived: Frame[] = [];
  /** The text of new frames that must be searched for secrets. */
  let changes: string[] = [];
  let lastEvent: string | null = null;
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

  /** Searches the frames of one read together, because few have a secret. */
  function redactArrived(): Frame[] {
    if (redactor.find(changes.join('\n')).length === 0) return arrived;
    // Later events may repeat the secret, so they are searched as a whole.
    scan = createFrameScan();
    lastEvent = null;
    return arrived.map(redactFrame);
  }

  function redactFrame({ event, ...frame }: Frame): Frame {
    const name = event === null ? null : redactor.text(event);
    return { ...frame, data: redactor.text(frame.data), event: name, pattern: null };
  }

  function read(text: string): void {
    const hadError = state.error !== null;
    parser.feed(text);
    const frames = redactArrived();
    arrived = [];
    changes = [];
    deliver(frames);
    if (!hadError && state.error !== null) events.onError();
    if (state.done) events.onDone();
  }

  function push(frame: Frame): void {
    if (state.done) return;
    const { data } = frame;
    const { isRare, pattern, changed } = scan(data);
    frame.isRare = isRare;
    frame.pattern = pattern;
    arrived.push(frame);
    changes.push(changed);
    if (frame.event !== null && frame.event !== lastEvent) {
      lastEvent = frame.event;
      changes.push(lastEvent);
    }
    if (isEndMark(data)) state.done = true;
    else if (ending && readDocuments(data) === null) state.unfinished = data;
    else {
      recent[state.frameCount % FINISH_WITHIN] = data;
      state.frameCount += 1;
      const mayBeError = frame.event === 'error' || (isRare && mayReportError(data));
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
    onEvent: ({ data, event }) =>
      push({ data, event: event ?? null, comment: false, isRare: true, pattern: null }),
    onComment(comment) {
      if (state.done) return;
      arrived.push({ data: comment, event: null, comment: true, isRare: false, pattern: null });
      changes.push(comment);
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

function namesFinishReason(data: string): boolean {
  return [...data.matchAll(FINISH_REASON)].some(([, reason = '']) => isFinishReason(reason));
}
