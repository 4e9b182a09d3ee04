/** Checks the bearer token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { DemoFailure } from './failure.ts';

/** Throws a 401 that says what is wrong without repeating what was sent. */
export function checkKey(authorization: string | undefined, key: string): void {
  const token = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined && timingSafeEqual(digest(token), digest(key))) return;
  throw new DemoFailure(
    401,
    token === undefined
      ? 'The API key is missing. Send the header "Authorization: Bearer <API_KEY>".'
      : 'The API key is not the one of this demo gateway.',
    {
      type: 'invalid_request_error',
      code: token === undefined ? 'missing_api_key' : 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    },
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
