/** Limits how long a call of an MCP server takes, apart from the time that its questions take. */
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';

const CALL_MS = 60_000;
/** A call that reports progress may take longer. */
const MAX_CALL_MS = 600_000;

/** Longer than any call; a timer can't wait longer. */
export const NO_LIMIT_MS = 2 ** 31 - 1;

export interface CallLimit {
  /** Aborts if the server is silent for too long, or the whole call takes too long. */
  signal: AbortSignal;
  /** Restarts the silence timeout. */
  restart(): void;
  pause(): void;
  resume(): void;
  end(): void;
}

export function limitCall(): CallLimit {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  let leftMs = MAX_CALL_MS;

  function pause(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - startedAt;
  }

  function resume(): void {
    if (timer !== undefined || late.signal.aborted) return;
    startedAt = performance.now();
    timer = setTimeout(
      () => late.abort(new SdkError(SdkErrorCode.RequestTimeout, 'The call took too long.')),
      Math.max(0, Math.min(CALL_MS, leftMs)),
    );
  }

  resume();
  return {
    signal: late.signal,
    pause,
    resume,
    restart() {
      if (timer === undefined) return;
      pause();
      resume();
    },
    end: () => clearTimeout(timer),
  };
}
