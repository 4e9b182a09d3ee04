/** Limits what an MCP server may send, so that none can exhaust memory or block Gatehouse. */

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Servers report progress many times a second, but no honest one sends this much. */
const MAX_MESSAGES = 10_000;
const WINDOW_MS = 10_000;

/** A server broke the protocol or a limit, and was stopped; the message follows its name. */
export class BadServerError extends Error {
  override readonly name = 'BadServerError';
}

export const tooLargeError = () =>
  new BadServerError('sent a message that is larger than 32 MiB, which is the limit.');

/** Returns a function that throws once messages come faster than the limit. */
export function limitRate(now: () => number): () => void {
  let startedAt = now();
  let count = 0;
  return () => {
    if (now() - startedAt > WINDOW_MS) {
      startedAt = now();
      count = 0;
    }
    count += 1;
    if (count <= MAX_MESSAGES) return;
    throw new BadServerError('sent more than 10,000 messages within ten seconds.');
  };
}
