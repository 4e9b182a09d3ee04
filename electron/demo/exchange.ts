/** Defines the exchange passed to each endpoint, and the ways to send a response. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../../shared/json.ts';
import type { SpeechTextIndex } from './media/spoken-texts.ts';
import type { VideoTasks } from './media/video-tasks.ts';
import { DemoError } from './requests.ts';
import type { SpeechPart } from './studio/studio.ts';

/** State shared by all requests. */
export interface DemoState {
  pace: Pace;
  countLimitedCall: () => void;
  tasks: VideoTasks;
  spoken: SpeechTextIndex;
  /** The latest images that were requested by URL. */
  images: Map<string, Buffer>;
  baseUrl: () => string;
}

export interface DemoExchange {
  request: IncomingMessage;
  response: ServerResponse;
  parameter: string;
  /** Aborts if the client disconnects before the response is complete. */
  signal: AbortSignal;
  state: DemoState;
  cut: (lastBytes: string | Buffer) => void;
}

export type Endpoint = (exchange: DemoExchange) => Promise<void>;

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendBytes(response, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));
}

export function sendText(response: ServerResponse, contentType: string, text: string): void {
  sendBytes(response, 200, `${contentType}; charset=utf-8`, Buffer.from(text));
}

function sendBytes(
  response: ServerResponse,
  status: number,
  contentType: string,
  bytes: Buffer,
): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length });
  response.end(bytes);
}

/** Controls simulated time, which runs in real time by default and faster in tests. */
export interface Pace {
  /** Returns simulated milliseconds since the start. */
  now(): number;
  /** Waits in simulated milliseconds; rejects with an AbortError if the client disconnects. */
  wait(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** At a `speed` of 10, ten simulated seconds take one real second. */
export function createPace(speed: number): Pace {
  const startedAt = performance.now();
  return {
    now: () => (performance.now() - startedAt) * speed,
    wait: async (durationMs: number, signal: AbortSignal) => {
      await sleep(durationMs / speed, undefined, { signal });
    },
  };
}

const RETRY_AFTER_SECONDS = 2;

/** Counts calls to `demo-limit` and throws a 429 on every odd call. */
export function createCallLimit(): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % 2 === 0) return;
    throw new DemoError(
      429,
      `Rate limit reached (simulated). Try again in ${RETRY_AFTER_SECONDS} seconds. Every other call succeeds.`,
      {
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      },
    );
  };
}

const KEEP_ALIVE_AFTER_MS = 500;

/** If `isTyped`, each event is named by its type and the last event ends the stream. */
export function openEventStream(
  { response, signal, state, cut }: DemoExchange,
  { isTyped = false } = {},
) {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();

  async function write(text: string): Promise<void> {
    signal.throwIfAborted();
    if (!response.write(text)) await once(response, 'drain', { signal });
  }

  const print = isTyped ? toTypedEvent : toEvent;
  return {
    /** Resolves when the client is ready for more data. */
    send: (documents: unknown[]) => write(documents.map(print).join('')),
    /** Waits in simulated milliseconds while sending keep-alive comments. */
    wait: async (durationMs: number) => {
      let leftMs = durationMs;
      while (leftMs > KEEP_ALIVE_AFTER_MS) {
        await state.pace.wait(KEEP_ALIVE_AFTER_MS, signal);
        leftMs -= KEEP_ALIVE_AFTER_MS;
        await write(': PROCESSING\n\n');
      }
      await state.pace.wait(leftMs, signal);
    },
    finish: () => {
      response.end(isTyped ? '' : 'data: [DONE]\n\n');
    },
    cut: (document: unknown) => {
      const event = print(document);
      cut(event.slice(0, Math.ceil(event.length / 2)));
    },
  };
}

function toTypedEvent(document: unknown): string {
  const type = isJsonObject(document) ? String(document.type) : '';
  return `event: ${type}\n${toEvent(document)}`;
}

function toEvent(document: unknown): string {
  return `data: ${JSON.stringify(document)}\n\n`;
}

/** Sends a single range (https://www.rfc-editor.org/rfc/rfc9110#section-14) or the whole body. */
export function sendRange({ request, response }: DemoExchange, type: string, bytes: Buffer): void {
  const common = { 'content-type': type, 'accept-ranges': 'bytes' };
  const requested = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range?.trim() ?? '');
  const [, first = '', last = ''] = requested ?? [];
  if (requested === null || (first === '' && last === '')) {
    response.writeHead(200, { ...common, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
  const end =
    first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
  if (start > end) {
    response.writeHead(416, { ...common, 'content-range': `bytes */${bytes.length}` });
    response.end();
    return;
  }
  response.writeHead(206, {
    ...common,
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
    'content-length': end - start + 1,
  });
  response.end(bytes.subarray(start, end + 1));
}

/** The client gets this many seconds of audio right away and the rest at the model's pace. */
const HEAD_START_SECONDS = 0.5;
const SLICE_SECONDS = 0.2;

/** Streams audio as it's generated, at `timesRealTime` times playback speed. */
export async function sendAudio(
  { response, signal, state }: DemoExchange,
  contentType: string,
  parts: AsyncIterable<SpeechPart>,
  timesRealTime: number,
): Promise<void> {
  const { pace } = state;
  let startedAt = 0;
  let sentSeconds = 0;
  for await (const { bytes, seconds } of parts) {
    if (!response.headersSent) {
      // Before the first byte is sent, an error can still become an error response.
      response.writeHead(200, { 'content-type': contentType });
      startedAt = pace.now();
    }
    const slices = Math.max(1, Math.round(seconds / SLICE_SECONDS));
    const sliceBytes = Math.ceil(bytes.length / slices);
    for (let slice = 0; slice < slices; slice += 1) {
      const dueAt = startedAt + ((sentSeconds - HEAD_START_SECONDS) / timesRealTime) * 1000;
      const earlyMs = dueAt - pace.now();
      if (earlyMs > 0) await pace.wait(earlyMs, signal);
      signal.throwIfAborted();
      const chunk = bytes.subarray(slice * sliceBytes, (slice + 1) * sliceBytes);
      if (!response.write(chunk)) await once(response, 'drain', { signal });
      sentSeconds += seconds / slices;
    }
  }
  response.end();
}
