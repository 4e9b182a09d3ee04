/** Errors on their way between threads: a message keeps of them only what is said here. */

export interface ThreadProblem {
  message: string;
  /** As SQLite reports it. */
  errcode?: number;
}

export function problemOf(cause: unknown): ThreadProblem {
  const message = cause instanceof Error ? cause.message : String(cause);
  const errcode = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) : null;
  return errcode === null ? { message } : { message, errcode };
}

/** The error that `problemOf` was made of. */
export function errorOf(problem: ThreadProblem): Error {
  return Object.assign(new Error(problem.message), problem);
}

/** What the work throws; null where it throws nothing. */
export function caught(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (cause) {
    return cause;
  }
}
