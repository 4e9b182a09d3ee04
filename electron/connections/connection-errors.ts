/** Defines the errors of connections that can't be changed or used. */
import type { KeyProtection } from '../../shared/connection.ts';
import { type AppError, appError } from '../../shared/errors.ts';

export const noConnectionError = appError(
  'not-found',
  'This connection no longer exists.',
  'Choose another connection.',
);

export function createFixedError(id: 'demo' | 'environment'): AppError {
  return id === 'demo'
    ? appError(
        'invalid-request',
        'Demo is built in and can’t be changed.',
        'Add your own connection instead.',
      )
    : appError(
        'invalid-request',
        '“Environment” is set by GATEHOUSE_BASE_URL and GATEHOUSE_API_KEY and can’t be edited here.',
        'Change those variables and restart, or add your own connection.',
      );
}

export function createDemoError(reason: string): AppError {
  return appError(
    'unreachable',
    `Demo is unavailable. ${reason}`,
    'Restart Gatehouse, or add your own connection.',
  );
}

interface Needed {
  connection: { id: string; name: string };
  missing: 'key' | 'values';
  /** How the missing secret was stored; null if unknown. */
  kept: KeyProtection | null;
}

/** The page shows a key field for this error, or opens the connection if values are missing. */
export function createNeededError({ connection, missing, kept }: Needed): AppError {
  const { id, name } = connection;
  const isSession = kept === 'session';
  const [what, again] =
    missing === 'key' ? ['The key', 'it'] : [`The secret values of “${name}”`, 'them'];
  const verb = missing === 'key' ? 'was' : 'were';
  const why = isSession
    ? `${verb} kept for the session only.`
    : `${missing === 'key' ? 'is' : 'are'} no longer stored.`;
  return appError('key-needed', `${what} ${why} Enter ${again} again.`, '', {
    connection: { id, name },
    missing,
  });
}

export function createKeyFieldError(message: string): AppError {
  const fields = [{ path: ['key'], message }];
  return appError('invalid-request', message, 'Correct the key and try again.', { fields });
}
