/** Describes any failure of an MCP server in one sentence and a next step. */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { BadServerError } from './message-limits.ts';
import { seeLog, unreadableResult } from './read-result.ts';

/** `redact` removes secret values from the server's output. */
export function describeFailure(
  name: string,
  cause: unknown,
  redact: (text: string) => string,
): AppError {
  if (cause instanceof UserFacingError) return cause.error;
  const detail = cause instanceof Error ? redact(cause.message).slice(0, 2000) : null;
  const isHttp = cause instanceof SdkHttpError;
  if (cause instanceof UnauthorizedError || (isHttp && cause.status === 401)) {
    const message = `${name} asks you to sign in.`;
    return appError('unauthorized', message, 'Sign in under Settings → MCP servers.', { detail });
  }
  if (isHttp) {
    const [message, nextStep] = describeStatus(cause.status);
    return appError('unreachable', `${name} ${message}`, nextStep, { detail });
  }
  if (cause instanceof BadServerError) {
    return appError('unreachable', `${name} ${cause.message}`, cause.nextStep ?? seeLog);
  }
  if (cause instanceof SdkError) {
    switch (cause.code) {
      case SdkErrorCode.RequestTimeout:
        return appError('timeout', `${name} didn’t answer in time.`, seeLog, { detail });
      case SdkErrorCode.InvalidResult:
        return unreadableResult(name);
      case SdkErrorCode.ClientHttpUnexpectedContent: {
        const message = `${name} sent something other than MCP, such as a web page.`;
        return appError('unreachable', message, checkUrl, { detail });
      }
    }
  }
  if (cause instanceof ProtocolError) {
    return appError('gateway', `${name} returned an error: ${detail}`, seeLog, {
      retryAfterSeconds: null,
    });
  }
  if (isMissingCommand(cause)) {
    const message = `${name} couldn’t be started, because its command or folder doesn’t exist.`;
    return appError('unreachable', message, 'Check the command, or enter its full path.', {
      detail,
    });
  }
  return appError('unreachable', `Couldn’t connect to ${name}.`, seeLog, { detail });
}

function describeStatus(status: number): [message: string, nextStep: string] {
  if (status === 403) return ['refused access (HTTP 403).', 'Check its headers.'];
  if (status === 404 || status === 405) {
    return [
      `isn’t at this URL (HTTP ${status}).`,
      'Check its URL. The older SSE transport isn’t supported.',
    ];
  }
  if (status >= 500) return [`failed (HTTP ${status}).`, 'Try again later.'];
  return [`returned HTTP ${status}.`, seeLog];
}

function isMissingCommand(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

const checkUrl = 'Check its URL.';
