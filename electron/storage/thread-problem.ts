/** Errors on their way between threads: a message keeps of them only what is shown here. */

export interface SerializedError {
  message: string;
  /** As SQLite reports it. */
  errcode?: number;
}

export function getProblem(cause: unknown): SerializedError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const errcode = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) : null;
  return errcode === null ? { message } : { message, errcode };
}

/** The error that `problemOf` was made of. */
export function getError(problem: SerializedError): Error {
  return Object.assign(new Error(problem.message), problem);
}

/** What the work throws; null if it throws nothing. */
export function toError(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (cause) {
    return cause;
  }
}
