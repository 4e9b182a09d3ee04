/** The limit of `demo-limit`: its first call is refused, and then every other. */
import { DemoFailure } from '../http/failure.ts';

const RETRY_AFTER_SECONDS = 2;

export interface CallLimit {
  /** Throws a 429 for the first, third, fifth … call. */
  count: () => void;
}

export function createCallLimit(): CallLimit {
  let calls = 0;
  return {
    count: () => {
      calls += 1;
      if (calls % 2 === 0) return;
      throw new DemoFailure(
        429,
        `Rate limit reached (simulated). Try again in ${RETRY_AFTER_SECONDS} seconds: every other call is let through.`,
        {
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
          headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
        },
      );
    },
  };
}
