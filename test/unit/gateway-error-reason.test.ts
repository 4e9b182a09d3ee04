import { describe, expect, it } from 'vitest';
import { readGatewayDetails, reportsFailure } from '../../electron/gateway/gateway-details.ts';
import { readWaitSeconds } from '../../electron/gateway/retry-wait.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { HeaderList } from '../../shared/run.ts';

const details = (body: JsonValue) =>
  readGatewayDetails({ status: 400, headers: [] }, JSON.stringify(body));

describe('the reason of a failure', () => {
  const inner = { type: 'invalid_request_error', message: 'One image at most.' };
  it.each<[string, JsonValue, string, string | null]>([
    ['text in error', { error: 'No.' }, 'No.', null],
    ['error.message', { error: { message: 'No.', code: 'x' } }, 'No.', 'x'],
    [
      'error.message as an object',
      { error: { message: { error: { message: 'No.' } } } },
      'No.',
      null,
    ],
    ['error.message as a list', { error: { message: ['No.', 'Never.'] } }, 'No. Never.', null],
    ['JSON in error.message', { error: { message: '{"error":{"message":"No."}}' } }, 'No.', null],
    [
      'a validation error with its place',
      { detail: [{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' }] },
      'Field required (body.model)',
      null,
    ],
    [
      'a validation error inside a message',
      { object: 'error', message: { detail: [{ loc: ['body', 'x'], msg: 'Extra inputs' }] } },
      'Extra inputs (body.x)',
      null,
    ],
    [
      'JSON of a provider in metadata.raw',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: JSON.stringify({ error: inner }), provider_name: 'Acme' },
        },
      },
      'One image at most. (Acme)',
      '400',
    ],
    [
      'text of a provider in metadata.raw',
      { error: { message: 'x', metadata: { raw: 'Too long.', provider_name: 'Acme' } } },
      'Too long. (Acme)',
      null,
    ],
    [
      'base_resp',
      { data: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      'insufficient balance',
      '1008',
    ],
    [
      'the error of a choice',
      { choices: [{ error: { code: 502, message: 'Overloaded' }, finish_reason: 'error' }] },
      'Overloaded',
      '502',
    ],
    [
      'a finish reason',
      { choices: [{ finish_reason: 'error', native_finish_reason: 'MALFORMED_CALL' }] },
      'The model stopped with an error (MALFORMED_CALL)',
      'MALFORMED_CALL',
    ],
    [
      'text that is no tool call',
      { error: { message: 'No call.', failed_generation: '<function=f>' } },
      'No call. The model wrote: <function=f>',
      null,
    ],
    [
      'a message next to data',
      { code: 'quota', message: 'Quota exceeded', data: { description: 'Plan basic' } },
      'Quota exceeded',
      'quota',
    ],
    [
      'a message next to a response',
      { error: { message: 'Upstream 500', response: { description: 'd' } } },
      'Upstream 500',
      null,
    ],
    ['a message next to details', { message: 'Real.', detail: { message: 'x' } }, 'Real.', null],
    ['text in error next to data', { error: 'No.', data: { message: 'x' } }, 'No.', null],
    [
      'details next to a title',
      { title: 'Unprocessable', detail: [{ loc: ['model'], msg: 'Required' }] },
      'Required (model)',
      null,
    ],
    [
      'fields of the request',
      { message: 'Invalid', errors: { model: ['is unknown'], code: 'bad', n: 'is too large' } },
      'is unknown (model) is too large (n)',
      'bad',
    ],
    [
      'error_description',
      { error: 'invalid_token', error_description: 'It expired.' },
      'It expired.',
      null,
    ],
    ['Message', { Message: 'Access denied' }, 'Access denied', null],
    [
      'a message outside of a code',
      { message: 'No.', error: { code: 'x', message: '' } },
      'No.',
      'x',
    ],
    ['an error of the task', { data: { error: { message: 'No.' } } }, 'No.', null],
  ])('is read from %s', (_name, body, message, code) => {
    expect(details(body)).toMatchObject({ message, code });
  });

  it.each<[JsonValue, Partial<Record<'type' | 'param' | 'code', string>>]>([
    [{ error: { code: 'model_not_found', message: '' } }, { code: 'model_not_found' }],
    [{ error: { code: 404 } }, { code: '404' }],
    [{ error: { type: 'invalid_request', param: 'n' } }, { type: 'invalid_request', param: 'n' }],
    [{ error: { message: null, error: { code: 'x' } } }, { code: 'x' }],
    [{ errors: [{ code: 'x' }] }, { code: 'x' }],
    [[{ error: { code: 'x', status: 'NOT_FOUND' } }], { code: 'x', type: 'NOT_FOUND' }],
    [{ code: 'x', message: '' }, { code: 'x' }],
    [{ base_resp: { status_code: 1008, status_msg: '' } }, { code: '1008' }],
    [{ choices: [{ error: { code: 502 } }] }, { code: '502' }],
    [{ code: 0, type: 'list', message: '' }, {}],
    [{ error: {} }, {}],
  ])('keeps the code of %j without a message', (body, expected) => {
    const none = { message: null, type: null, param: null, code: null };
    expect(details(body)).toMatchObject({ ...none, ...expected });
  });

  const answered = { message: { content: 'x' }, finish_reason: 'stop' };
  it.each<[JsonValue, boolean]>([
    [{ choices: [{ ...answered, error: {} }] }, false],
    [{ choices: [{ ...answered, error: { code: 0, message: '' } }] }, false],
    [{ choices: [answered], error: {} }, false],
    [{ choices: [answered], error: [] }, false],
    [{ choices: [answered], error: { code: '0', message: 'success', details: {} } }, false],
    [{ choices: [answered], error: { code: null, message: '', type: '', param: null } }, false],
    [{ choices: [answered], error: 0 }, false],
    [{ choices: [answered], error: { code: 0, message: 'No.' } }, true],
    [{ choices: [answered], error: { code: 'overloaded', message: '' } }, true],
    [{ choices: [answered], error: ['No.'] }, true],
    [{ choices: [answered], error: true }, true],
    [{ base_resp: { status_code: 1008, status_msg: 'x' } }, true],
    [{ base_resp: { status_code: 0, status_msg: 'success' }, data: { audio: 'ff' } }, false],
    [{ choices: [{ finish_reason: 'error' }] }, true],
    [{ choices: [{ finish_reason: 'stop', error: null, message: { content: 'a' } }] }, false],
  ])('makes a 200 with %j a failure: %s', (body, expected) => {
    expect(reportsFailure(body)).toBe(expected);
  });
});

describe('the wait before a retry', () => {
  const now = () => Date.parse('2026-01-01T12:00:00Z');
  const wait = (headers: HeaderList, body: JsonValue = null, status = 429) =>
    readWaitSeconds({ status, headers }, JSON.stringify(body), now);

  it.each<[string, HeaderList, JsonValue, number | null]>([
    [
      'milliseconds',
      [
        ['retry-after-ms', '1500'],
        ['retry-after', '9'],
      ],
      null,
      1.5,
    ],
    ['a duration', [['x-ratelimit-reset-requests', '6m0s']], null, 360],
    ['a fraction', [['x-ratelimit-reset-tokens', '120ms']], null, 1],
    ['an ISO date', [['anthropic-ratelimit-requests-reset', '2026-01-01T12:00:30Z']], null, 30],
    ['a Unix time in seconds', [['x-ratelimit-reset', '1767268830']], null, 30],
    [
      'the limit that is used up',
      [
        ['x-ratelimit-reset-requests', '1h'],
        ['x-ratelimit-remaining-requests', '5'],
        ['x-ratelimit-reset-tokens', '20s'],
        ['x-ratelimit-remaining-tokens', '0'],
      ],
      null,
      20,
    ],
    [
      'headers that the gateway passed on',
      [],
      { error: { metadata: { headers: { 'X-RateLimit-Reset': '1767268830000' } } } },
      30,
    ],
    ['RetryInfo', [], [{ error: { details: [{ retryDelay: '36.4s' }] } }], 37],
    ['nothing', [], { error: { message: 'x' } }, null],
  ])('is read from %s', (_name, headers, body, expected) => {
    expect(wait(headers, body)).toBe(expected);
  });

  const usedUp: HeaderList = [
    ['x-ratelimit-remaining', '0'],
    ['x-ratelimit-reset', '24h'],
  ];
  const unused: HeaderList = [['x-ratelimit-reset-requests', '6m0s']];
  const code429 = { error: { code: 429, message: 'x' } };
  it.each<[number, HeaderList, JsonValue, number | null]>([
    [400, unused, null, null],
    [400, usedUp, null, null],
    [500, usedUp, null, null],
    [500, [...usedUp, ['retry-after', '3']], null, 3],
    [503, unused, null, null],
    [503, usedUp, null, 86_400],
    [429, usedUp, null, 86_400],
    [200, usedUp, code429, 86_400],
    [500, [], { error: { metadata: { headers: { 'X-RateLimit-Reset': '60' } } } }, null],
  ])('of status %i with %j and %j is %s', (status, headers, body, expected) => {
    expect(wait(headers, body, status)).toBe(expected);
  });
});
