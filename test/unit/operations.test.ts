import { describe, expect, it } from 'vitest';
import { checkInput } from '../../electron/operations/check-input.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import { imageOperation } from '../../shared/operations/image/image.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import { toHttp } from '../../shared/operations/write-request.ts';
import {
  createInitialView,
  foldEvents,
  hasNewOutput,
  type RunView,
} from '../../shared/run-view.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { body, finish, numbered } from './support/fold-events.ts';

const request: JsonObject = { model: 'm', messages: [{ role: 'user', content: 'Hi there' }] };

const options = { stream_options: { include_usage: true } };

function failureOf(act: () => unknown) {
  try {
    act();
  } catch (cause) {
    if (cause instanceof UserFacingError) return cause.error;
    throw cause;
  }
  return null;
}

it('sends the model and messages first, whatever their order in the request', () => {
  const given = { stream: true, temperature: 0.2, messages: request.messages ?? [], model: 'm' };
  const input = { request: given, extraBody: { top_k: 40 }, wireNames: {} };
  const { body } = toHttp(chatOperation, input);
  expect(Object.keys(body ?? {})).toEqual(['model', 'messages', 'stream', 'temperature', 'top_k']);
});

describe('hasNewOutput', () => {
  const overJson = (view: RunView): RunView => JSON.parse(JSON.stringify(view));
  const begun = (operation: OperationName) => createInitialView(runSummary({ operation }));

  it.each(operationNameSchema.options)('returns false at the start of a %s run', (operation) => {
    expect(hasNewOutput(begun(operation), overJson(begun(operation)))).toBe(false);
  });

  it.each([
    ['image', { candidates: [{ content: { parts: [{ text: 'A gate' }] } }] }],
    ['rerank', { results: [{ index: 0, relevance_score: 0.5 }] }],
  ] as const)('returns true with the first %s output', (operation, reply) => {
    const { view } = foldEvents(begun(operation), [numbered(body(reply), 1)]);
    expect(hasNewOutput(begun(operation), overJson(view))).toBe(true);
  });
});

describe('a request and its operation', () => {
  it('returns a valid request unchanged', () => {
    const checked = checkInput('chat', { request });
    expect(checked).toEqual({
      model: 'm',
      preview: 'Hi there',
      request,
      extraBody: {},
      wireNames: {},
      follow: null,
    });
    expect(checked.request).toBe(request);
  });

  it('accepts a task ID only for operations with tasks', () => {
    const videoRequest = { model: 'v-1', prompt: 'A boat', duration: 'long' };
    expect(checkInput('video', { request: videoRequest, follow: ' t-1 ' })).toMatchObject({
      model: 'v-1',
      preview: 'Task t-1',
      request: videoRequest,
      follow: 't-1',
    });
    expect(failureOf(() => checkInput('chat', { request, follow: 't-1' }))).toMatchObject({
      kind: 'invalid-request',
      message: 'The request wasn’t sent. Task ID: This panel has no tasks to follow.',
      fields: [{ path: ['follow'] }],
    });
  });

  it('refuses a request outside the limits and names each field', () => {
    const wrong = { ...request, temperature: 2.1, n: 0, top_k: 1 };
    expect(failureOf(() => checkInput('chat', { request: wrong }))).toMatchObject({
      kind: 'invalid-request',
      message: 'The request wasn’t sent. 3 fields have errors.',
      fields: ['temperature', 'n', 'top_k'].map((name) => ({ path: [name] })),
    });
  });

  it('includes the field name in the message if only one field is wrong', () => {
    expect(failureOf(() => checkInput('chat', { request: { ...request, n: 0 } }))?.message).toBe(
      'The request wasn’t sent. n: Enter 1 or more.',
    );
  });
});

describe('toHttp', () => {
  it('sends renamed fields under their new names, and extra body fields unchanged', () => {
    const videoRequest = { model: 'v-1', prompt: 'A boat', seed: 1, n: 2 };
    const { body } = toHttp(videoOperation, {
      request: videoRequest,
      extraBody: { seed: 'extra', random_seed: 3 },
      wireNames: { seed: 'random_seed', n: 'seed' },
    });
    expect(body).toEqual({ model: 'v-1', prompt: 'A boat', random_seed: 3, seed: 'extra' });
  });

  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['on', { stream: true }, {}, true],
    ['off', { stream: false }, {}, false],
    ['not set', {}, {}, false],
    ['on in the extra body fields', { stream: false }, { stream: true }, true],
    ['off in the extra body fields', { stream: true }, { stream: false }, false],
    ['off, with options in the extra body fields', { stream: false }, options, false],
  ])('sends stream_options only with stream: %s', (_name, more, extraBody, isSent) => {
    const input = { request: { ...request, ...more, ...options }, extraBody, wireNames: {} };
    const { body } = toHttp(chatOperation, input);
    expect(body).toEqual({ ...request, ...more, ...(isSent && options), ...extraBody });
  });

  it('merges the extra body fields last, at the top level', () => {
    const extraBody = { stream_options: {}, top_k: 4 };
    const input = { request: { ...request, ...options }, extraBody, wireNames: {} };
    expect(toHttp(chatOperation, input)).toEqual({
      method: 'POST',
      path: '/v1/chat/completions',
      body: { ...request, ...extraBody },
    });
  });

  it.each([
    ['gemini-image', 'gemini-image'],
    ['org/model:free', 'org%2Fmodel%3Afree'],
    ['a b?c#d', 'a%20b%3Fc%23d'],
    ['$& and $1', '%24%26%20and%20%241'],
  ])('puts the model %s into the path instead of the body', (model, inPath) => {
    const contents = [{ parts: [{ text: 'a fox' }] }];
    const input = { request: { model, contents }, extraBody: {}, wireNames: {} };
    const path = `/v1beta/models/${inPath}:generateContent`;
    expect(toHttp(imageOperation, input)).toEqual({ method: 'POST', path, body: { contents } });
  });
});

describe('the descriptions', () => {
  const withForm = operationNameSchema.options.filter((name) => name !== 'console');
  const descriptions = withForm.map(describeOperation);
  const fieldsOf = (name: string) => descriptions.find((item) => item.name === name)?.fields ?? [];
  const field = (operation: string, name: string) =>
    fieldsOf(operation).find((item) => item.name === name);

  it('covers every other field of a chat request, in the order of the form', () => {
    const names = Object.keys(getChatRequestSchema().shape).filter(
      (name) => name !== 'model' && name !== 'messages',
    );
    expect(fieldsOf('chat').map(({ name }) => name)).toEqual(names);
  });

  it('takes limits, words and initial values from the schema', () => {
    expect(field('chat', 'temperature')).toMatchObject({
      title: 'Temperature',
      group: 'Sampling',
      control: 'slider',
      integer: false,
      minimum: 0,
      maximum: 2,
      step: 0.05,
      gatewayDefault: 1,
      startValue: 1,
    });
    expect(field('chat', 'n')).toMatchObject({ integer: true, minimum: 1, maximum: null });
    expect(field('chat', 'reasoning_effort')?.suggestions.map(({ value }) => value)).toEqual([
      ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
    ]);
    expect(field('chat', 'modalities')?.options).toEqual(['text', 'image', 'audio']);
    expect(field('speech', 'voice')?.suggestions).toContainEqual({ value: 'shimmer', name: null });
    const german = { value: 'de', name: 'German' };
    expect(field('transcription', 'language')?.suggestions).toContainEqual(german);
    expect(field('speech', 'speed')).toMatchObject({ minimum: 0.25, maximum: 4, startValue: 1 });
  });

  it('gives every field an initial value that its schema accepts', () => {
    for (const { name, startValue } of fieldsOf('chat')) {
      const result = getChatRequestSchema()
        .partial()
        .safeParse({ [name]: startValue });
      expect([name, result.success]).toEqual([name, true]);
    }
  });

  it('lists the fields that can be renamed', () => {
    const renamable = descriptions.flatMap(({ name, renamable: fields }) =>
      fields.map(({ title, otherNames }) => [`${name} ${title}`, ...otherNames].join(', ')),
    );
    expect(renamable).toEqual([
      'video First frame, images, first_frame_image, first_frame, frame_images, image.url',
      'video Last frame, last_frame_image, images, frame_images',
      'video References, reference_images, input_references, reference_images.url',
      ...['video Frame rate', 'video Seed', 'video Videos (n)', 'video Response format'],
      ...['video User', 'video Metadata', 'speech Voice, voice.id', 'speech Instructions'],
      'transcription Timestamps, timestamp_granularities[]',
    ]);
  });

  it('sets only a few fields in a new draft', () => {
    const drafts = descriptions.map(({ name, draft }) => [name, draft] as const);
    const filled = drafts.filter(([, draft]) => Object.keys(draft).length > 0);
    expect(Object.fromEntries(filled)).toEqual({
      chat: { stream: true, ...options },
      completion: { stream: true },
      image: { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } },
      speech: { voice: 'alloy' },
    });
  });
});

it('shortens the model and the finish reasons that lists show', () => {
  const choice = (index: number) => ({
    index,
    message: { role: 'assistant', content: 'Hi' },
    finish_reason: 'x'.repeat(1000),
  });
  const choices = Array.from({ length: 200 }, (_, index) => choice(index));
  const response = { kind: 'response' as const, exchange: 0, status: 200, headers: [] };
  const events = [response, body({ model: 'm'.repeat(1_000_000), choices }), finish];
  const { view } = foldEvents(
    createInitialView(runSummary({ operation: 'chat', status: 'running' })),
    events.map((event, at) => numbered(event, at + 1)),
  );
  expect(view.figures?.model).toHaveLength(300);
  expect(view.figures?.finishReasons).toHaveLength(128);
  expect(view.figures?.finishReasons.every((reason) => reason.length === 300)).toBe(true);
});
