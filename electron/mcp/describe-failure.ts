/** Describes any failure of an MCP server in one sentence and a next step. */
import { statSync } from 'node:fs';
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { BadServerError } from './message-limits.ts';
import { createUnreadableResultError, seeLog } from './read-result.ts';
import { cleanOutput } from './server-log.ts';
import { readNeededAccess } from './sign-in.ts';
import { isUnreadableResponse } from './unreadable-response.ts';

/** `redact` removes secret values from the server's output. */
export function describeFailure(
  name: string,
  cause: unknown,
  redact: (text: string) => string,
): AppError {
  if (cause instanceof UserFacingError) return cause.error;
  if (isMissingProgram(cause)) return describeFailure(name, createMissingProgramError(), redact);
  const detail = cause instanceof Error ? redact(cleanOutput(cause.message)).slice(0, 2000) : null;
  const isHttp = cause instanceof SdkHttpError;
  if (cause instanceof UnauthorizedError || (isHttp && cause.status === 401)) {
    const message = `${name} asks you to sign in.`;
    return appError('unauthorized', message, 'Sign in under Settings → MCP servers.', { detail });
  }
  const access = readNeededAccess(cause);
  if (access !== null) {
    const message = `${name} asks for more access${access.scope && `: ${access.scope}`}.`;
    return appError('unauthorized', message, 'Sign in again under Settings → MCP servers.', {
      detail,
    });
  }
  if (cause instanceof UrlElicitationRequiredError) {
    const message = `${name} needs you to finish a step in your browser first.`;
    return appError('gateway', message, 'Call the tool again afterward.', {
      retryAfterSeconds: null,
    });
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
        return createUnreadableResultError(name);
      case SdkErrorCode.ClientHttpUnexpectedContent: {
        const message = `${name} sent something other than MCP, such as a web page.`;
        return appError('unreachable', message, checkUrl, { detail });
      }
    }
  }
  if (isUnreadableResponse(cause)) return createUnreadableResultError(name);
  if (cause instanceof ProtocolError) {
    return appError('gateway', `${name} returned an error: ${detail}`, seeLog, {
      retryAfterSeconds: null,
    });
  }
  const startFailure = describeStartFailure(cause);
  if (startFailure !== null) {
    const [reason, nextStep] = startFailure;
    const message = `${name} couldn’t be started, because ${reason}`;
    return appError('unreachable', message, nextStep, { detail });
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

/** Also for a program that starts and then doesn't find another, such as `npx` without `node`. */
export function createMissingProgramError(): BadServerError {
  return new BadServerError(
    'couldn’t be started, because its command, a program that it needs, or its folder wasn’t found.',
    'Check the command and the folder, and that the command runs in a new terminal.',
  );
}

function isMissingProgram(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/** Returns null unless the server's command can't be started. */
function describeStartFailure(cause: unknown): [reason: string, nextStep: string] | null {
  if (!(cause instanceof Error && 'code' in cause)) return null;
  const command = 'path' in cause && typeof cause.path === 'string' ? cause.path : '';
  switch (cause.code) {
    case 'ENOTDIR':
      return ['its folder isn’t a folder.', 'Choose another folder.'];
    case 'EACCES':
      return statSync(command, { throwIfNoEntry: false })?.isDirectory() === true
        ? ['its command is a folder.', 'Enter the path of a program in it.']
        : [
            'its command isn’t executable.',
            'Allow the file to be executed, or run it with a program such as node or python3.',
          ];
    case 'ERR_INVALID_ARG_VALUE':
      return [
        'its command, arguments, folder or variables contain a NUL character.',
        'Edit the server in Settings → MCP servers.',
      ];
    default:
      return null;
  }
}

const checkUrl = 'Check its URL.';
