/** Limits an MCP server's messages, so a server can't exhaust memory or block Gatehouse. */

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Servers may report progress many times a second, but no honest server sends this much. */
const MAX_MESSAGES = 10_000;
const MAX_BYTES = 4 * MAX_MESSAGE_BYTES;
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

export const tooLargeError = () =>
  new BadServerError('sent a message that is larger than 32 MiB, which is the limit.');

/** Returns a function that receives a message's size and throws if too much arrives at once. */
export function limitRate(now: () => number): (bytes: number) => void {
  let startedAt = now();
  let count = 0;
  let total = 0;
  return (bytes) => {
    if (now() - startedAt > WINDOW_MS) {
      startedAt = now();
      count = 0;
      total = 0;
    }
    count += 1;
    total += bytes;
    if (count > MAX_MESSAGES) {
      throw new BadServerError('sent more than 10,000 messages within ten seconds.');
    }
    if (total > MAX_BYTES) throw new BadServerError('sent more than 128 MiB within ten seconds.');
  };
}
