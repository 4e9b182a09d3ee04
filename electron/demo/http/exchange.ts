/** What an endpoint gets: the request, the way to reply, and the gateway it belongs to. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpeechTextIndex } from '../media/spoken-sounds.ts';
import type { TaskList } from '../media/task-list.ts';
import { DemoError } from './failure.ts';

/** What outlives one request. */
export interface DemoState {
  pace: Pace;
  callLimit: CallLimit;
  tasks: TaskList;
  spoken: SpeechTextIndex;
  /** `http://127.0.0.1:PORT`. */
  baseUrl: () => string;
}

export interface DemoExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The variable part of the path, decoded: a model or a task id. */
  parameter: string;
  /** Aborts when the client closes the connection before the reply is complete. */
  signal: AbortSignal;
  state: DemoState;
  /** Breaks the connection off after `lastBytes`. */
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

/** Simulated time: real by default, faster in tests. */
export interface Pace {
  /** Simulated milliseconds since the gateway started. */
  now: () => number;
  /** Waits simulated milliseconds; rejects with an AbortError at once when the client has gone. */
  wait: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

/** `speed` 10 makes ten simulated seconds pass in a real one. */
export function createPace(speed: number): Pace {
  const startedAt = performance.now();
  return {
    now: () => (performance.now() - startedAt) * speed,
    wait: async (durationMs, signal) => {
      await sleep(durationMs / speed, undefined, { signal });
    },
  };
}

const RETRY_AFTER_SECONDS = 2;

/** The limit of `demo-limit`: its first call is refused, and then every other. */
interface CallLimit {
  /** Throws a 429 for the first, third, fifth … call. */
  count: () => void;
}

export function createCallLimit(): CallLimit {
  let calls = 0;
  return {
    count: () => {
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
    },
  };
}
