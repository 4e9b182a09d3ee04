import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportsFailure } from '../../electron/gateway/gateway-details.ts';
import { errorInResponse, httpError } from '../../electron/gateway/http-errors.ts';
import { appErrorSchema } from '../../shared/error-schema.ts';
import type { HeaderList } from '../../shared/run.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
const now = () => Date.parse('Thu, 01 Jan 2026 12:00:00 GMT');

function errorFor(status: number, text: string, headers: HeaderList = []) {
  const url = new URL('http://gateway.test/v1/rerank');
  const error = httpError({ status, headers }, text, now, { url, redirects: 'same-origin' });
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

  it('reads the error of Google, alone or in a list, with its wait', () => {
    const error = {
      code: 429,
      message: 'Quota exceeded.',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36.4s' },
      ],
    };
    const expected = {
      kind: 'rate-limited',
      message: 'Rate limit reached: Quota exceeded.',
      nextStep: 'The gateway asked you to wait 37 seconds before retrying.',
      retryAfterSeconds: 37,
      gateway: { code: '429', type: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded.' },
    };
    expect(errorFor(429, JSON.stringify({ error }))).toMatchObject(expected);
    expect(errorFor(429, JSON.stringify([{ error }]))).toMatchObject(expected);
    expect(errorFor(429, JSON.stringify({ error }), [['retry-after', '5']])).toMatchObject({
      retryAfterSeconds: 5,
    });
    expect(
      errorInResponse({ status: 200, headers: [] }, JSON.stringify([{ error }])),
    ).toMatchObject({
      kind: 'gateway',
      nextStep: 'The gateway asked you to wait 37 seconds before retrying.',
      retryAfterSeconds: 37,
    });
  });

  it.each([
    [
      304,
      'Retry in a moment. If it keeps failing, check the cache or proxy in front of the gateway.',
    ],
    [402, 'Check your account balance with the gateway.'],
    [408, 'Retry in a moment.'],
    [425, 'Retry in a moment.'],
  ])('%i says what helps', (status, nextStep) => {
    expect(errorFor(status, '')).toMatchObject({ kind: 'http', nextStep });
  });

  it.each(['-5', '9'.repeat(400), 'soon'])('takes a wait of %s for none', (wait) => {
    expect(errorFor(429, '', [['retry-after', wait]])).toMatchObject({
      retryAfterSeconds: null,
      nextStep: 'Wait a moment, then retry.',
    });
  });

  it('reads an error that comes as an event', () => {
    const text = 'event: error\ndata: {"error":{"message":"Busy"}}\n\n';
    expect(errorFor(500, text)).toMatchObject({ kind: 'gateway', gateway: { message: 'Busy' } });
  });

  it.each(['javascript:alert(1)', 'http://['])('does not offer %s as a base URL', (location) => {
    expect(errorFor(307, '', [['location', location]]).nextStep).toBe(
      'Check the base URL in Settings.',
    );
  });

  it.each([
    ['{"error":{"error":{"message":"Deep","code":7}}}', 'Deep', '7'],
    ['{"errors":[{"message":"First","code":"a"},{"message":"Second"}]}', 'First', 'a'],
    ['{"success":false,"code":1102,"msg":"No balance"}', 'No balance', '1102'],
  ])('finds the reason in %s', (text, message, code) => {
    expect(errorFor(400, text)).toMatchObject({ gateway: { message, code } });
  });

  it.each([
    ['0', 'Wait a moment, then retry.'],
    ['1', 'The gateway asked you to wait 1 second before retrying.'],
    ['90', 'The gateway asked you to wait 90 seconds before retrying.'],
    ['600', 'The gateway asked you to wait 10 minutes before retrying.'],
    ['86400', 'The gateway asked you to wait 24 hours before retrying.'],
    ['259201', 'The gateway asked you to wait 4 days before retrying.'],
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
  const error = errorInResponse({ status: 200, headers: [] }, fixture('model-not-found.json'));
  expect(error).toMatchObject({ kind: 'gateway', gateway: { code: 'model_not_found' } });
});

describe('a reply with a good status', () => {
  it.each<[object]>([
    [{ error: { message: 'no' } }],
    [[{ error: { message: 'no' } }]],
    [{ success: false, message: 'No balance' }],
    [{ success: false }],
    [{ code: 1102, msg: 'No balance' }],
    [{ code: 1102, msg: 'No balance', data: {} }],
    [{ code: 'task_not_exist', message: 'No task', data: null }],
    [{ success: false, message: 'No balance', data: { request_id: 'r1' } }],
    [{ success: false, message: 'No balance', data: { status: 402 } }],
    [{ code: 1102, msg: 'No balance', data: { request_id: 'r1', url: null } }],
    [{ code: 1102, msg: 'No balance', task_id: '' }],
    [{ code: 1102, msg: 'No balance', output: {} }],
    [{ code: 1102, msg: 'No balance', results: [] }],
    [{ errors: [{ message: 'Bad prompt' }] }],
  ])('%j is a failure', (body) => {
    expect(reportsFailure(JSON.parse(JSON.stringify(body)))).toBe(true);
  });

  it.each<[object]>([
    [{ code: 'success', message: '', data: { task_id: 't' } }],
    [{ code: 0, msg: 'ok' }],
    [{ code: 1000, message: 'Success.' }],
    [{ code: 1000, message: 'Submitted', task_id: 't' }],
    [{ code: 10, msg: 'done', output: { text: 'a' } }],
    [{ code: 1102, message: 'odd', data: { task_id: 't' } }],
    [{ success: false, data: { status: 'FAILURE' } }],
    [{ error: null, choices: [] }],
    [{ errors: [] }],
    [{ errors: [{ message: 'Half of it' }], data: { id: 't' } }],
    [[{ id: 'a' }, { error: 'x' }]],
  ])('%j is none', (body) => {
    expect(reportsFailure(JSON.parse(JSON.stringify(body)))).toBe(false);
  });
});

describe('a redirect that is not followed', () => {
  it.each<[number, HeaderList]>([
    [307, [['Location', '/v1/rerank']]],
    [307, []],
    [302, [['Location', 'http://gateway.test/v2/rerank']]],
  ])('names no new base URL where it stays at the gateway: %s %j', (status, headers) => {
    expect(errorFor(status, '', headers).nextStep).toBe('Check the base URL in Settings.');
  });

  it('names the new one where it leads elsewhere', () => {
    const error = errorFor(302, '', [['Location', 'https://gateway.test/v1/rerank']]);
    expect(error.nextStep).toBe('If the gateway moved, update the base URL in Settings.');
  });
});
