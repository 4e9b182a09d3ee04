import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportsFailure } from '../../electron/gateway/gateway-details.ts';
import { readErrorInBody, toHttpError } from '../../electron/gateway/http-errors.ts';
import { appErrorSchema } from '../../shared/error-schema.ts';
import type { HeaderList } from '../../shared/run.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
const now = () => Date.parse('Thu, 01 Jan 2026 12:00:00 GMT');

function errorFor(status: number, text: string, headers: HeaderList = []) {
  const url = new URL('http://gateway.test/v1/rerank');
  const error = toHttpError({ status, headers }, text, now, { url, redirects: 'same-origin' });
  expect(appErrorSchema.parse(error)).toEqual(error);
  return error;
}

describe('an HTTP error', () => {
  const noObject = (status: string, what: string) =>
    `The gateway ${status}; it returned ${what} instead of an error object.`;
  it.each([
    [403, '<!DOCTYPE html><title>x</title>', noObject('denied this request', 'a web page')],
    [403, '<Error><Code>AccessDenied</Code></Error>', noObject('denied this request', 'markup')],
    [500, '<html>', noObject('returned HTTP status 500', 'a web page')],
  ])('writes a full sentence for %i %s', (status, text, message) => {
    expect(errorFor(status, text).message).toBe(message);
  });

  it('reads a Google error with its retry delay, alone or in a list', () => {
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
    const inside = readErrorInBody({ status: 200, headers: [] }, JSON.stringify([{ error }]), now);
    const { nextStep, retryAfterSeconds } = expected;
    expect(inside).toMatchObject({ kind: 'gateway', nextStep, retryAfterSeconds });
  });

  it.each([
    ['Rate limit reached for m-429.', 'Rate limit reached for m-429.'],
    ['rate limit reached', 'rate limit reached.'],
    ['Rate limit exceeded: free models', 'Rate limit exceeded: free models.'],
    ['Slow down', 'Rate limit reached: Slow down.'],
    ['One image at most. (Acme)', 'Rate limit reached: One image at most. (Acme)'],
    ['Field required (body.model)', 'Rate limit reached: Field required (body.model).'],
  ])('shows the gateway’s “%s” only once', (message, whole) => {
    expect(errorFor(429, JSON.stringify({ error: { message } })).message).toBe(whole);
  });

  const checkBalance = 'Check your account balance with the gateway.';
  it.each([
    [429, { message: 'You exceeded your current quota.', code: 'insufficient_quota' }],
    [400, { message: 'Your credit balance is too low; see billing details.' }],
    [500, { message: 'The balance is not enough' }],
  ])('suggests checking the balance for %i %j', (status, error) => {
    expect(errorFor(status, JSON.stringify({ error })).nextStep).toBe(checkBalance);
  });

  it.each([
    [{ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, checkBalance],
    [{ error: { code: 402, message: 'Pay first.' } }, checkBalance],
    [{ choices: [{ error: { code: 408, message: 'Idle' } }] }, 'Retry in a moment.'],
    [
      { choices: [{ error: { code: 502, message: 'Idle' } }] },
      'Retry in a moment. If it keeps failing, contact the gateway’s operator.',
    ],
    [{ error: { code: 404, message: 'Gone' } }, 'Check the request, then retry.'],
    [{ error: { message: 'No.' } }, 'Check the request, then retry.'],
  ])('suggests a next step for %j in a 200 response', (body, nextStep) => {
    const head = { status: 200, headers: [] };
    expect(readErrorInBody(head, JSON.stringify(body), now).nextStep).toBe(nextStep);
  });

  const retry = 'Retry in a moment.';
  it.each([
    [304, `${retry} If it keeps failing, check the cache or proxy in front of the gateway.`],
    [402, 'Check your account balance with the gateway.'],
    [408, retry],
    [425, retry],
  ])('suggests a next step for %i', (status, nextStep) => {
    expect(errorFor(status, '')).toMatchObject({ kind: 'http', nextStep });
  });

  it.each(['-5', '9'.repeat(400), 'soon'])('ignores a Retry-After of %s', (wait) => {
    expect(errorFor(429, '', [['retry-after', wait]])).toMatchObject({
      retryAfterSeconds: null,
      nextStep: 'Wait a moment, then retry.',
    });
  });

  it('reads an error that arrives as a stream event', () => {
    const text = 'event: error\ndata: {"error":{"message":"Busy"}}\n\n';
    expect(errorFor(500, text)).toMatchObject({ kind: 'gateway', gateway: { message: 'Busy' } });
  });

  it.each([
    ['0', 'Wait a moment, then retry.'],
    ['1', 'The gateway asked you to wait 1 second before retrying.'],
    ['90', 'The gateway asked you to wait 90 seconds before retrying.'],
    ['600', 'The gateway asked you to wait 10 minutes before retrying.'],
    ['86400', 'The gateway asked you to wait 24 hours before retrying.'],
    ['259201', 'The gateway asked you to wait 4 days before retrying.'],
  ])('describes a wait of %s seconds in words', (seconds, words) => {
    expect(errorFor(429, '{}', [['retry-after', seconds]])).toMatchObject({ nextStep: words });
  });

  const invalid =
    '{"error":{"message":"bad","type":"invalid_request_error","param":"n","code":null}}';
  it.each([
    [400, invalid, 'gateway'],
    [400, fixture('task-not-exist.json'), 'gateway'],
    [401, fixture('unauthorized.json'), 'unauthorized'],
    [400, '{"error":{"message":"API key not valid. Please pass a valid one."}}', 'unauthorized'],
    [400, '{"error":{"message":"Invalid API key format in body"}}', 'unauthorized'],
    [400, '{"error":{"message":"The key n is invalid"}}', 'gateway'],
    [403, '{"error":{"message":"quota"}}', 'forbidden'],
    [404, '404 page not found', 'not-found'],
    [413, '', 'http'],
    [429, '{"error":{"message":"slow down"}}', 'rate-limited'],
    [500, fixture('bad-gateway.html'), 'http'],
    [501, fixture('not-implemented.json'), 'not-implemented'],
    [400, fixture('not-implemented.json'), 'not-implemented'],
    [503, fixture('model-not-found.json'), 'gateway'],
    [307, '', 'http'],
  ])('classifies %i %s as %s', (status, text, kind) => {
    expect(errorFor(status, text).kind).toBe(kind);
  });

  it('keeps the gateway’s message, with a request ID from a header or the message', () => {
    const error = errorFor(401, fixture('unauthorized.json'));
    expect(error.message).toContain('Invalid token');
    expect(error.gateway).toMatchObject({
      status: 401,
      type: 'new_api_error',
      param: null,
      code: null,
      requestId: '20260101120000123456789AbCdEfGh',
    });
    const other = errorFor(401, fixture('unauthorized.json'), [['X-Oneapi-Request-Id', 'r-77']]);
    expect(other.gateway?.requestId).toBe('r-77');
  });

  const date = (time: string) => `Thu, 01 Jan 2026 ${time} GMT`;
  it.each<[string, HeaderList, number | null]>([
    ['seconds', [['Retry-After', '20']], 20],
    ['a date', [['retry-after', date('12:00:30')]], 30],
    ['a date in the past', [['Retry-After', date('11:00:00')]], 0],
    [
      'a date by a wrong clock',
      [
        ['Retry-After', date('15:00:05')],
        ['Date', date('15:00:00')],
      ],
      5,
    ],
    ['nothing', [], null],
  ])('reads Retry-After as %s', (_name, headers, seconds) => {
    expect(errorFor(429, '{}', headers)).toMatchObject({ retryAfterSeconds: seconds });
  });

  it('keeps at most 4,096 characters of the body', () => {
    expect(errorFor(500, 'x'.repeat(9000)).gateway?.bodyExcerpt).toHaveLength(4096);
  });
});

it('removes characters of the gateway that would reverse the rest of the sentence', () => {
  const error = errorFor(400, '{"error":{"message":"not \\u202Evalid\\u0000 here"}}');
  expect(error.message).toBe('The gateway rejected the request (400): not valid here.');
});

it('attributes an error inside a 200 response to the gateway', () => {
  const error = readErrorInBody({ status: 200, headers: [] }, fixture('model-not-found.json'), now);
  expect(error).toMatchObject({ kind: 'gateway', gateway: { code: 'model_not_found' } });
});

describe('reportsFailure', () => {
  it.each<[boolean, object]>([
    [true, [{ error: { message: 'no' } }]],
    [true, { success: false, message: 'No balance' }],
    [true, { success: false }],
    [true, { code: 1102, msg: 'No balance' }],
    [true, { code: 1102, msg: 'No balance', data: {} }],
    [true, { code: 'task_not_exist', message: 'No task', data: null }],
    [true, { success: false, message: 'No balance', data: { request_id: 'r1' } }],
    [true, { success: false, message: 'No balance', data: { status: 402 } }],
    [true, { code: 1102, msg: 'No balance', data: { request_id: 'r1', url: null } }],
    [true, { code: 1102, msg: 'No balance', task_id: '' }],
    [true, { code: 1102, msg: 'No balance', output: {} }],
    [true, { code: 1102, msg: 'No balance', results: [] }],
    [false, { code: 'success', message: '', data: { task_id: 't' } }],
    [false, { code: 0, msg: 'ok' }],
    [false, { code: 1000, message: 'Success.' }],
    [false, { code: 1000, message: 'Submitted', task_id: 't' }],
    [false, { code: 10, msg: 'done', output: { text: 'a' } }],
    [false, { code: 1102, message: 'odd', data: { task_id: 't' } }],
    [false, { success: false, data: { status: 'FAILURE' } }],
    [false, { error: null, choices: [] }],
    [false, { errors: [] }],
    [false, { errors: [{ message: 'Half of it' }], data: { id: 't' } }],
    [false, [{ id: 'a' }, { error: 'x' }]],
  ])('returns %s for %j', (isFailure, body) => {
    expect(reportsFailure(JSON.parse(JSON.stringify(body)))).toBe(isFailure);
  });
});

describe('a redirect that is not followed', () => {
  const check = 'Check the base URL in Settings.';
  it.each<[string, HeaderList, string]>([
    ['/v1/rerank', [['Location', '/v1/rerank']], check],
    ['nowhere', [], check],
    ['the same gateway', [['Location', 'http://gateway.test/v2/rerank']], check],
    ['a script', [['Location', 'javascript:alert(1)']], check],
    ['an invalid address', [['Location', 'http://[']], check],
    [
      'another gateway',
      [['Location', 'https://gateway.test/v1/rerank']],
      'If the gateway moved, update the base URL in Settings.',
    ],
  ])('suggests a next step for a redirect to %s', (_name, headers, nextStep) => {
    expect(errorFor(307, '', headers).nextStep).toBe(nextStep);
    expect(errorFor(302, '', headers).nextStep).toBe(nextStep);
  });
});
