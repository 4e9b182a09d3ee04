import { describe, expect, it } from 'vitest';
import { readGatewayDetails, reportsFailure } from '../../electron/gateway/gateway-details.ts';
import { readErrorInBody } from '../../electron/gateway/http-errors.ts';
import { readWaitSeconds } from '../../electron/gateway/retry-wait.ts';
import { readStream } from '../../electron/gateway/stream-reader.ts';
import { createRedactor } from '../../electron/redaction/redactor.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { rerankOperation } from '../../shared/operations/rerank/rerank.ts';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';
import type { HeaderList } from '../../shared/run.ts';
import { body as bodyEvent, foldAll } from './support/fold-events.ts';

const noReason = 'The gateway gave no reason.';
const now = () => Date.parse('2026-01-01T12:00:00Z');

const details = (body: JsonValue, status = 400) =>
  readGatewayDetails({ status, headers: [] }, JSON.stringify(body));

/** Returns the details of the error that ends a stream; null if there is none. */
function readStreamed(body: JsonValue, event: string | null = null) {
  const reader = readStream(
    { chunks: (frames) => ({ produced: frames.length, rest: 'more' }) },
    createRedactor(null),
    { onDone() {}, onError() {}, onDeltas() {}, onWhole() {}, onMore() {} },
  );
  const name = event === null ? '' : `event: ${event}\n`;
  void reader.write(`${name}data: ${JSON.stringify(body)}\n\n`);
  const { error } = reader.end();
  if (error === null) return null;
  return readErrorInBody({ status: 200, headers: [] }, JSON.stringify(error.body), now).gateway;
}

const rank = (body: JsonObject) =>
  foldAll(rerankOperation, [bodyEvent({ results: [], ...body })]).emptyReason;

describe('the reason for a failure', () => {
  const base = (status_code: JsonValue, status_msg: string) => ({
    base_resp: { status_code, status_msg },
  });
  const inner = { type: 'invalid_request_error', message: 'One image at most.' };
  const raw = (value: JsonValue) => ({
    error: {
      message: 'Provider returned error',
      code: 400,
      metadata: { raw: value, provider_name: 'Acme' },
    },
  });

  /** Fields that always mean an error, even in a response with status 200. */
  const errors: [string, JsonObject, string, (string | null)?][] = [
    ['text in error', { error: 'No.' }, 'No.'],
    ['JSON in error', { error: '{"message":"No.","code":7}' }, 'No.', '7'],
    ['error.message', { error: { message: 'No.', code: 'x' } }, 'No.', 'x'],
    ['error.message as an object', { error: { message: { error: { message: 'No.' } } } }, 'No.'],
    ['error.error', { error: { error: { message: 'No GPU', code: 7 } } }, 'No GPU', '7'],
    ['error.message as a list', { error: { message: ['No.', 'Never.'] } }, 'No. Never.'],
    ['JSON in error.message', { error: { message: '{"error":{"message":"No."}}' } }, 'No.'],
    ['a list of errors', { errors: [{ message: 'A.' }, 'B.'] }, 'A. B.'],
    [
      'a validation error with its place',
      { detail: [{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' }] },
      'Field required (body.model)',
    ],
    [
      'a validation error inside a message',
      { object: 'error', message: { detail: [{ loc: ['body', 'x'], msg: 'Extra inputs' }] } },
      'Extra inputs (body.x)',
    ],
    [
      'a validation error inside an error',
      { error: { detail: [{ loc: ['body', 0, 'x'], msg: 'Extra inputs' }] } },
      'Extra inputs (body.0.x)',
    ],
    [
      'a validation error as JSON in text',
      { error: { message: '{"detail":[{"loc":["query","n"],"msg":"Too large"}]}' } },
      'Too large (query.n)',
    ],
    ['JSON in raw', raw(JSON.stringify({ error: inner })), 'One image at most. (Acme)', '400'],
    ['an object in metadata.raw', raw({ error: inner }), 'One image at most. (Acme)', '400'],
    ['a list in metadata.raw', raw([{ error: inner }]), 'One image at most. (Acme)', '400'],
    ['text in metadata.raw', raw('Too long.'), 'Too long. (Acme)', '400'],
    ['base_resp', base(1008, 'insufficient balance'), 'insufficient balance', '1008'],
    ['base_resp with its code as text', base('1026', 'Sensitive'), 'Sensitive', '1026'],
    [
      'the error of a choice',
      { choices: [{ error: { code: 502, message: 'Overloaded' }, finish_reason: 'error' }] },
      'Overloaded',
      '502',
    ],
    ['the error of a choice as text', { choices: [{ error: 'Overloaded' }] }, 'Overloaded'],
    [
      'the second choice',
      { choices: [{ finish_reason: 'stop' }, { error: raw('Too long.').error }] },
      'Too long. (Acme)',
      '400',
    ],
    [
      'a finish reason',
      { choices: [{ finish_reason: 'error', native_finish_reason: 'MALFORMED_CALL' }] },
      'The model stopped (MALFORMED_CALL)',
      'MALFORMED_CALL',
    ],
    [
      'a finish reason alone',
      { choices: [{ finish_reason: 'error', message: { content: 'Half' } }] },
      'The model stopped',
    ],
    [
      'text that is no tool call',
      { error: { message: 'No call.', failed_generation: '<function=f>' } },
      'No call. The model wrote: <function=f>',
    ],
    [
      'text that is no tool call in metadata.raw',
      raw({ error: { message: 'No call.', failed_generation: '<function=f>' } }),
      'No call. The model wrote: <function=f> (Acme)',
      '400',
    ],
    [
      'fields of the request',
      { errors: { model: ['is unknown'], code: 'bad', n: 'is too large' } },
      'is unknown (model); is too large (n)',
    ],
    [
      'error_description',
      { error: 'invalid_token', error_description: 'It expired.' },
      'It expired.',
    ],
    ['a message next to a label', { error: 'Bad Request', message: 'No.' }, 'No.'],
    ['an error next to a message', { error: 'No GPU is free.', message: 'x' }, 'No GPU is free.'],
    ['error_msg', { error_code: 17, error_msg: 'Daily limit' }, 'Daily limit', '17'],
    ['a code', { code: 'quota', message: 'Quota exceeded' }, 'Quota exceeded', 'quota'],
  ];

  it.each(errors)(
    'reads the reason from %s in every kind of response',
    (_name, body, message, code = null) => {
      expect(details(body)).toMatchObject({ message });
      expect(details([body])).toMatchObject({ message });
      expect(reportsFailure(body)).toBe(true);
      expect(
        readErrorInBody({ status: 200, headers: [] }, JSON.stringify(body), now),
      ).toMatchObject({
        kind: 'gateway',
        gateway: { message },
      });
      expect(readStreamed(body)).toMatchObject({ message });
      expect(rank(body)).toContain(message);
      const task = { task_id: 't', status: 'failed', ...body };
      for (const reply of [task, { code: 'success', message: '', data: task }]) {
        const { error } = readVideoTask(reply) ?? {};
        expect(error?.message).toBe(message);
        if (code !== null) expect(error?.code).toBe(code);
      }
      if (code !== null) expect(details(body)).toMatchObject({ code });
    },
  );

  it.each<[string, JsonObject, string, (string | null)?]>([
    ['fail_reason', { fail_reason: 'Blocked' }, 'Blocked'],
    ['JSON in fail_reason', { fail_reason: '{"error":{"code":"x","message":"B"}}' }, 'B', 'x'],
    ['failure_reason', { failure_reason: 'Blocked' }, 'Blocked'],
    ['task_status_msg', { task_status_msg: 'Blocked' }, 'Blocked'],
    [
      'failure',
      { failure: 'Blocked', failureCode: 'SAFETY.INPUT.TEXT' },
      'Blocked',
      'SAFETY.INPUT.TEXT',
    ],
    ['message', { message: 'Blocked' }, 'Blocked'],
    ['detail', { detail: 'Blocked' }, 'Blocked'],
    ['reason', { reason: 'Blocked' }, 'Blocked'],
    ['a reason next to a request message', { message: 'success', reason: 'No.' }, 'No.'],
    ['last_error', { last_error: { code: 'x', message: 'No.' } }, 'No.', 'x'],
  ])(
    'reads the reason from %s of an error, task or ranking',
    (_name, body, message, code = null) => {
      expect(details(body)).toMatchObject({ message, code });
      expect(rank(body)).toContain(message);
      const task = { task_id: 't', status: 'failed', ...body };
      expect(readVideoTask(task)?.error).toEqual({ code, message });
      const wrapped = { code: 'success', message: '', data: task };
      expect(readVideoTask(wrapped)?.error).toEqual({ code, message });
    },
  );

  it.each<[string, JsonObject, string | null]>([
    ['nothing', {}, null],
    ['a message that only says success', { message: 'success' }, null],
    ['the code of base_resp', base(1026, ''), '1026'],
    ['base_resp of the request', base(0, 'done'), null],
    ['the title of the video', { title: 'A cat', description: 'It sleeps.' }, null],
  ])('doesn’t read a reason from %s of a task', (_name, body, code) => {
    const task = { task_id: 't', status: 'failed', ...body };
    expect(readVideoTask(task)?.error).toEqual({ code, message: noReason });
  });

  it.each<[string, JsonValue, string, (string | null)?]>([
    ['success and msg', { success: false, code: 1102, msg: 'No balance' }, 'No balance', '1102'],
    ['several errors', { errors: [{ message: 'A', code: 'a' }, { message: 'B' }] }, 'A; B', 'a'],
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
    ],
    ['a message next to details', { message: 'Real.', detail: { message: 'x' } }, 'Real.'],
    ['text in error next to data', { error: 'No.', data: { message: 'x' } }, 'No.'],
    [
      'details next to a title',
      { title: 'Unprocessable', detail: [{ loc: ['model'], msg: 'Required' }] },
      'Required (model)',
    ],
    ['Message', { Message: 'Access denied' }, 'Access denied'],
    ['a message beside a code', { message: 'No.', error: { code: 'x', message: '' } }, 'No.', 'x'],
    ['an error of the task', { data: { error: { message: 'No.' } } }, 'No.'],
    ['an unknown field', { fault: { body: '{"message":"No."}' } }, 'No.'],
    ['details', { error: { code: 'x', details: [{ description: 'No.' }] } }, 'No.', 'x'],
  ])('reads the reason from %s of an error', (_name, body, message, code = null) => {
    expect(details(body)).toMatchObject({ message, code });
  });

  it.each<JsonValue>([
    { request: { messages: [{ message: 'Hi' }] } },
    { message: 'OK' },
    { error: { message: { deep: 1 } } },
    [],
    { error: { code: 200, message: 'success' } },
  ])('finds no reason in %j', (body) => {
    expect(details(body)).toMatchObject({ message: null, code: null });
  });

  it.each<[JsonValue, Partial<Record<'type' | 'param' | 'code', string>>]>([
    [{ error: { code: 'model_not_found', message: '' } }, { code: 'model_not_found' }],
    [{ error: { code: 404 } }, { code: '404' }],
    [{ error: { type: 'invalid_request', param: 'n' } }, { type: 'invalid_request', param: 'n' }],
    [{ error: { message: null, error: { code: 'x' } } }, { code: 'x' }],
    [{ errors: [{ code: 'x' }] }, { code: 'x' }],
    [[{ error: { code: 'x', status: 'NOT_FOUND' } }], { code: 'x', type: 'NOT_FOUND' }],
    [{ code: 'x', message: '' }, { code: 'x' }],
    [base(1008, ''), { code: '1008' }],
    [{ choices: [{ error: { code: 502 } }] }, { code: '502' }],
    [{ code: 0, type: 'list', message: '' }, {}],
    [{ error: {} }, {}],
  ])('keeps the code of %j, which has no message', (body, expected) => {
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
    [base(1008, 'x'), true],
    [{ base_resp: { status_code: 0, status_msg: 'success' }, data: { audio: 'ff' } }, false],
    [{ choices: [{ finish_reason: 'error' }] }, true],
    [{ choices: [{ finish_reason: 'stop', error: null, message: { content: 'a' } }] }, false],
  ])('treats a 200 with %j as a failure: %s', (body, expected) => {
    expect(reportsFailure(body)).toBe(expected);
  });
});

describe('the wait before a retry', () => {
  const headers = (lines: string): HeaderList =>
    lines.split(', ').map((line) => line.split(': ') as [string, string]);
  const wait = (headers: HeaderList, body: JsonValue = null, status = 429) =>
    readWaitSeconds({ status, headers }, JSON.stringify(body), now);

  it.each<[string, HeaderList, JsonValue, number | null]>([
    ['milliseconds', headers('retry-after-ms: 1500, retry-after: 9'), null, 1.5],
    ['a duration', [['x-ratelimit-reset-requests', '6m0s']], null, 360],
    ['a fraction', [['x-ratelimit-reset-tokens', '120ms']], null, 1],
    ['an ISO date', [['anthropic-ratelimit-requests-reset', '2026-01-01T12:00:30Z']], null, 30],
    ['a Unix time in seconds', [['x-ratelimit-reset', '1767268830']], null, 30],
    [
      'the limit that is used up',
      headers(
        'x-ratelimit-reset-requests: 1h, x-ratelimit-remaining-requests: 5, ' +
          'x-ratelimit-reset-tokens: 20s, x-ratelimit-remaining-tokens: 0',
      ),
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
    ['JSON', [], { error: { message: '{"error":{"details":[{"retryDelay":"9s"}]}}' } }, 9],
    [
      'headers in the error of a choice',
      [],
      { choices: [{ error: { metadata: { headers: { 'retry-after-ms': '500' } } } }] },
      0.5,
    ],
    ['headers in a wrapper', [], { data: { error: { headers: { 'Retry-After': 7 } } } }, 7],
    ['nothing', [], { error: { message: 'x' } }, null],
  ])('reads the wait from %s', (_name, headers, body, expected) => {
    expect(wait(headers, body)).toBe(expected);
  });

  const usedUp = headers('x-ratelimit-remaining: 0, x-ratelimit-reset: 24h');
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
    [200, usedUp, { error: { code: 'rate_limit_exceeded', message: 'x' } }, 86_400],
    [200, usedUp, { error: { type: 'too_many_requests', message: 'x' } }, 86_400],
    [200, usedUp, { error: { code: 'quota', message: 'x' } }, null],
    [500, [], { error: { metadata: { headers: { 'X-RateLimit-Reset': '60' } } } }, null],
  ])('waits after status %i with %j and %j: %s', (status, headers, body, expected) => {
    expect(wait(headers, body, status)).toBe(expected);
  });
});
