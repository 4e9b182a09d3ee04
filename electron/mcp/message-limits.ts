/** Limits an MCP server's messages, so a server can't exhaust memory or block Gatehouse. */

import { createValueCounter } from '../base/count-json-values.ts';

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const MAX_VALUES = 2_000_000;

/** Servers may report progress many times a second, but no honest server sends this much. */
const MAX_MESSAGES = 10_000;
const MAX_BYTES = 4 * MAX_MESSAGE_BYTES;
/** Each costs a response, and an honest server sends a ping every few seconds at most. */
const MAX_REQUESTS = 100;
const WINDOW_MS = 10_000;

/** Thrown if a server can't be reached or breaks a rule; the message follows its name. */
export class BadServerError extends Error {
  override readonly name = 'BadServerError';
  readonly nextStep: string | null;

  constructor(message: string, nextStep: string | null = null) {
    super(message);
    this.nextStep = nextStep;
  }
}

export const createOversizedMessageError = () =>
  new BadServerError('sent a message that is larger than 32 MiB, which is the limit.');

/** Returns a function that receives the bytes of a message and throws if it has too many values. */
export function limitValues(): (bytes: Uint8Array) => void {
  const count = createValueCounter();
  return (bytes) => {
    if (count(bytes) <= MAX_VALUES) return;
    throw new BadServerError('sent a message with more than 2 million values, which is the limit.');
  };
}

export interface RateLimit {
  /**
   * Counts a message of any kind. Throws a `BadServerError` if there are too many bytes or
   * messages.
   */
  countMessage(bytes: number): void;
  /** Counts a request from the server. Throws a `BadServerError` if there are too many. */
  countRequest(): void;
}

export function limitRate(now: () => number): RateLimit {
  let startedAt = now();
  let messages = 0;
  let requests = 0;
  let total = 0;

  function startWindow(): void {
    if (now() - startedAt <= WINDOW_MS) return;
    startedAt = now();
    messages = 0;
    requests = 0;
    total = 0;
  }

  return {
    countMessage(bytes) {
      startWindow();
      messages += 1;
      total += bytes;
      if (messages > MAX_MESSAGES) {
        throw new BadServerError('sent more than 10,000 messages within ten seconds.');
      }
      if (total > MAX_BYTES) throw new BadServerError('sent more than 128 MiB within ten seconds.');
    },
    countRequest() {
      startWindow();
      requests += 1;
      if (requests > MAX_REQUESTS) {
        throw new BadServerError('sent more than 100 requests within ten seconds.');
      }
    },
  };
}
