import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorInReply, httpError } from '../../electron/gateway/http-errors.ts';
import { appErrorSchema } from '../../shared/errors.ts';
import type { HeaderList } from '../../shared/run.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
const now = () => Date.parse('Thu, 01 Jan 2026 12:00:00 GMT');

function errorFor(status: number, text: string, headers: HeaderList = []) {
  const error = httpError({ status, headers }, text, now);
  expect(appErrorSchema.parse(error)).toEqual(error);
  return error;
}

describe('an HTTP error', () => {
  it.each([
    [
      403,
      '<!DOCTYPE html><title>Blocked</title>',
      'The gateway denied this request; it returned a web page instead of an error object.',
    ],
    [
      403,
      '<Error><Code>AccessDenied</Code></Error>',
      'The gateway denied this request; it returned markup instead of an error object.',
    ],
    [
      500,
      '<html>',
      'The gateway returned HTTP status 500; it returned a web page instead of an error object.',
    ],
  ])('%i %s is a whole sentence', (status, text, message) => {
    expect(errorFor(status, text).message).toBe(message);
  });

  it.each([
    ['1', 'Retry in 1 second.'],
    ['90', 'Retry in 90 seconds.'],
    ['600', 'Retry in 10 minutes.'],
    ['86400', 'Retry in 24 hours.'],
    ['259201', 'Retry in 4 days.'],
  ])('a wait of %s seconds is written in words', (seconds, words) => {
    expect(errorFor(429, '{}', [['retry-after', seconds]])).toMatchObject({ nextStep: words });
  });

  it.each([
    [
      400,
      '{"error":{"message":"bad","type":"invalid_request_error","param":"n","code":null}}',
      'gateway',
    ],
    [400, fixture('task-not-exist.json'), 'gateway'],
    [401, fixture('unauthorized.json'), 'unauthorized'],
    [403, '{"error":{"message":"quota"}}', 'forbidden'],
    [404, '404 page not found', 'not-found'],
    [413, '', 'http'],
    [429, '{"error":{"message":"slow down"}}', 'rate-limited'],
    [500, fixture('bad-gateway.html'), 'http'],
    [501, fixture('not-implemented.json'), 'not-implemented'],
    [400, fixture('not-implemented.json'), 'not-implemented'],
    [503, fixture('model-not-found.json'), 'gateway'],
    [307, '', 'http'],
  ])('%i %s is %s', (status, text, kind) => {
    expect(errorFor(status, text).kind).toBe(kind);
  });

  it('says what the gateway said, with the request id from the message', () => {
    expect(errorFor(401, fixture('unauthorized.json'))).toMatchObject({
      message: expect.stringContaining('Invalid token'),
      gateway: {
        status: 401,
        type: 'new_api_error',
        param: null,
        code: null,
        requestId: '20260101120000123456789AbCdEfGh',
      },
    });
  });

  it('prefers the request id of a header', () => {
    const error = errorFor(401, fixture('unauthorized.json'), [['X-Oneapi-Request-Id', 'r-77']]);
    expect(error.gateway?.requestId).toBe('r-77');
  });

  it.each<[string, HeaderList, number | null]>([
    ['seconds', [['Retry-After', '20']], 20],
    ['a date', [['retry-after', 'Thu, 01 Jan 2026 12:00:30 GMT']], 30],
    ['a date that is over', [['Retry-After', 'Thu, 01 Jan 2026 11:00:00 GMT']], 0],
    [
      'a date by a clock that is wrong',
      [
        ['Retry-After', 'Thu, 01 Jan 2026 15:00:05 GMT'],
        ['Date', 'Thu, 01 Jan 2026 15:00:00 GMT'],
      ],
      5,
    ],
    ['nonsense', [['Retry-After', 'soon']], null],
    ['nothing', [], null],
  ])('reads Retry-After as %s', (_name, headers, seconds) => {
    expect(errorFor(429, '{}', headers)).toMatchObject({ retryAfterSeconds: seconds });
  });

  it('keeps at most 4,096 characters of the body', () => {
    expect(errorFor(500, 'x'.repeat(9000)).gateway?.bodyExcerpt).toHaveLength(4096);
  });

  it.each([
    ['{"error":"plain words"}', 'plain words'],
    ['{"detail":"Not authenticated"}', 'Not authenticated'],
    ['{"msg":"kaputt","code":1001}', 'kaputt'],
    ['{"error":{"message":{"deep":1}}}', null],
    ['[]', null],
  ])('finds the message in %s', (text, message) => {
    expect(errorFor(400, text).gateway?.message).toBe(message);
  });
});

it('an error inside a 200 reply is the gateway’s', () => {
  const error = errorInReply({ status: 200, headers: [] }, fixture('model-not-found.json'));
  expect(error).toMatchObject({ kind: 'gateway', gateway: { code: 'model_not_found' } });
});
