/** Classifies SQLite and file system errors, and serializes them for threads. */
import { type AppError, appError } from '../../shared/errors.ts';

/** Primary result codes from https://www.sqlite.org/rescode.html. */
export const sqlite = {
  error: 1,
  busy: 5,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** Returns the primary result code, or null if the error isn't from SQLite. */
export function getSqliteCode(cause: unknown): number | null {
  if (!(cause instanceof Error) || !('errcode' in cause)) return null;
  return typeof cause.errcode === 'number' ? cause.errcode & 0xff : null;
}

/** Returns true if the disk or folder is the cause, not a bug such as a violated constraint. */
export function isStorageError(cause: unknown): boolean {
  const code = getSqliteCode(cause);
  return code !== null && code !== sqlite.error && Object.values<number>(sqlite).includes(code);
}

/** Returns true if the file is damaged, so that a retry would fail too. */
export function isCorruption(cause: unknown): boolean {
  const code = getSqliteCode(cause);
  return code === sqlite.corrupt || code === sqlite.notADatabase;
}

/** Returns true for file system errors, such as a file being open in another program. */
export function isFileError(cause: unknown): boolean {
  const code = getSystemCode(cause);
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
}

export function isDiskFull(cause: unknown): boolean {
  const code = getSqliteCode(cause) ?? getSystemCode(cause);
  return code === sqlite.full || code === 'ENOSPC' || code === 'EDQUOT';
}

/** `what` starts the message, such as "The run could not be saved". */
export function toStorageError(cause: unknown, what: string): AppError {
  const [reason, nextStep] = describeReason(cause);
  const detail = cause instanceof Error ? cause.message : String(cause);
  return appError('file', `${what}: ${reason}.`, nextStep, { detail });
}

function describeReason(cause: unknown): [reason: string, nextStep: string] {
  switch (getSqliteCode(cause) ?? getSystemCode(cause)) {
    case sqlite.full:
    case 'ENOSPC':
    case 'EDQUOT':
      return ['the disk is full', 'Free some space on the disk that holds the data folder.'];
    case 'EEXIST':
    case 'ENOTDIR':
      return [
        'a file is where a folder belongs',
        'Move that file out of the data folder, then restart Gatehouse.',
      ];
    case 'EFBIG':
      return [
        'the file is too large for this disk',
        'Set GATEHOUSE_HOME to a folder on a disk that supports larger files.',
      ];
    case sqlite.readonly:
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return ['the data folder isn’t writable', 'Make the data folder writable.'];
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return [
        'the database is damaged',
        'Restart Gatehouse. It keeps the damaged database as a separate file and creates a new one.',
      ];
    case sqlite.busy:
      return ['another program has locked the database', 'Close the other program and try again.'];
    case sqlite.ioError:
      return ['the disk reported an error', 'Check the disk that holds the data folder.'];
    default:
      return [
        'the data folder isn’t accessible',
        'Check that the data folder exists and is writable by your user.',
      ];
  }
}

function getSystemCode(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : null;
}

/** The only fields of an error that threads exchange. */
export interface SerializedError {
  message: string;
  errcode?: number;
}

export function serializeError(cause: unknown): SerializedError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const errcode = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) : null;
  return errcode === null ? { message } : { message, errcode };
}

export function deserializeError(problem: SerializedError): Error {
  return Object.assign(new Error(problem.message), problem);
}

export function toError(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (cause) {
    return cause;
  }
}
