import { ORPCError } from '@orpc/client';
import type { AppError, FieldError } from '../../shared/errors.ts';
import { LinkLostError } from './link.ts';
import { PageError } from './page-failure.ts';

/** Returns the `AppError` in a thrown value, or else the best description available. */
export function toAppError(error: unknown): AppError {
  if (error instanceof PageError) return error.error;
  if (error instanceof LinkLostError) {
    return {
      ...plain,
      kind: 'unreachable',
      message: 'Lost connection to Gatehouse.',
      nextStep: 'Reconnecting… Runs continue in the background.',
    };
  }
  if (error instanceof ORPCError) {
    if (isAppError(error.data)) return error.data;
    const fields = listInputIssues(error.data);
    if (error.code === 'BAD_REQUEST' && fields.length > 0) {
      return {
        ...plain,
        kind: 'invalid-request',
        message: fields[0]?.message ?? 'Some fields have errors.',
        nextStep: 'Fix the errors and try again.',
        fields,
      };
    }
  }
  return {
    ...plain,
    kind: 'unexpected',
    message: 'Something went wrong.',
    nextStep: 'Try again. If it keeps happening, restart Gatehouse.',
    detail: error instanceof Error ? error.message : String(error),
  };
}

const plain = { gateway: null, detail: null };

/** Checks only the shape, because the main process already validated the error. */
export function isAppError(data: unknown): data is AppError {
  return isRecord(data) && typeof data.kind === 'string' && typeof data.nextStep === 'string';
}

/** Returns the contract's validation issues for the input. */
function listInputIssues(data: unknown): FieldError[] {
  if (!isRecord(data) || !Array.isArray(data.issues)) return [];
  return data.issues.flatMap((issue: unknown) => {
    if (!isRecord(issue) || typeof issue.message !== 'string') return [];
    const path = Array.isArray(issue.path) ? issue.path.map(String) : [];
    return [{ path, message: issue.message }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
