import { describe, expect, it } from 'vitest';
import { appError } from '../../shared/errors.ts';
import { emptyImageState, type ImageCandidate } from '../../shared/operations/image/state.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { emptySpeechState } from '../../shared/operations/speech/speech.ts';
import { emptyVideoState } from '../../shared/operations/video/state.ts';
import { foldEvents, foldRun } from '../../shared/run-view.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { makeTimings } from '../fixtures/timings.ts';

const { chat, completion, image, video, rerank, speech, transcription } = operations;

const measured = makeTimings({ headAtMs: 5, endAtMs: 9, sentBytes: 9, receivedBytes: 2 });

describe('a chat answer', () => {
  const reasoning = 'Hm';
  it.each([
    [[], 'The response is empty.'],
    [[chatChoice({ content: ' \n', finishReason: 'stop' })], 'The response is empty.'],
    [[chatChoice({ finishReason: 'length' })], 'The token limit was reached before any text.'],
    [
      [chatChoice({ reasoning, finishReason: 'length' })],
      'The token limit was reached while the model was reasoning.',
    ],
    [
      [chatChoice({ reasoning, finishReason: 'stop' })],
      'The model returned reasoning but no answer.',
    ],
    [[chatChoice({ refusal: 'I cannot' })], 'The model refused.'],
    [[chatChoice({}), chatChoice({ index: 1, content: 'Hello' })], null],
    [[chatChoice({ toolCalls: [{ id: '1', name: 'get_weather', arguments: '' }] })], null],
    [
      [chatChoice({ audio: { id: null, media: 'A'.repeat(22), transcript: '', expiresAt: null } })],
      null,
    ],
  ])('gives the reason for an answer without content: %#', (choices, reason) => {
    expect(chat.noResult({ ...chat.initialState, choices }, [])).toBe(reason);
  });

  it.each(['content_filter', 'SAFETY', 'PROHIBITED_CONTENT', 'RECITATION', 'SPII', 'BLOCKLIST'])(
    'reports an answer withheld with the finish reason %s',
    (finishReason) => {
      const choices = [chatChoice({ finishReason })];
      const reason = chat.noResult({ ...chat.initialState, choices }, []);
      expect(reason).toBe(`Withheld by the content filter (${finishReason}).`);
    },
  );

  it('accepts an image even if only the run’s media contain it', () => {
    const state = { ...chat.initialState, choices: [chatChoice({ finishReason: 'stop' })] };
    const picture = { kind: 'image' as const, sizeBytes: 9 };
    expect(chat.noResult(state, [medium(picture)])).toBeNull();
    expect(chat.noResult(state, [medium({ ...picture, complete: false })])).not.toBeNull();
  });
});

describe('a response that couldn’t be read', () => {
  const at = { seq: 1, atMs: 1, exchange: 0 };
  const fold = (name: OperationName, text: string, truncated = false) => {
    const { view } = foldEvents(runView(name, { status: 'running' }), [
      { kind: 'response', status: 200, headers: [], ...at },
      { kind: 'body', text, truncated, ...at },
      { kind: 'finish', timings: measured, ...at },
    ]);
    return view.figures?.noResult;
  };
  const unreadable = 'The response couldn’t be read.';
  const cut = '{"choices":[{"message":{"content":"Hel';
  const strange = '{"result":"Hello"}';

  it.each([
    ['chat', cut, unreadable],
    ['chat', strange, unreadable],
    ['completion', cut, unreadable],
    ['completion', strange, unreadable],
    ['rerank', cut, unreadable],
    ['rerank', strange, 'The response has no list of results.'],
    ['transcription', strange, unreadable],
    ['chat', '{"choices":[]}', 'The response is empty.'],
    ['rerank', '{"results":[]}', 'The response contains no ranked documents.'],
    ['rerank', '[{"index":0,"relevance_score":0.5}]', null],
  ] as const)(
    'distinguishes an unreadable response from an empty one: %s, %s',
    (name, text, noResult) => {
      expect(fold(name, text, text === cut)).toBe(noResult);
    },
  );
});

it('reports a completion without text', () => {
  const choices = [{ index: 0, text: '', other: {}, finishReason: 'length' }];
  expect(completion.noResult({ ...completion.initialState, choices }, [])).toBe(
    'The token limit was reached before any text.',
  );
  const lineBreak = [{ index: 0, text: '\n\n', other: {}, finishReason: 'stop' }];
  expect(completion.noResult({ ...completion.initialState, choices: lineBreak }, [])).toBeNull();
});

describe('an image reply', () => {
  const none: ImageCandidate = { role: 'model', parts: [], finishReason: null, safetyRatings: [] };
  const text = { type: 'text' as const, text: 'Sorry', thought: false };
  const picture = { type: 'media' as const, mediaId: 'm', mimeType: 'image/png' };

  const empty = /neither text nor images\.$/;
  it.each([
    [{ blockReason: 'PROHIBITED_CONTENT' }, /blocked the prompt: prohibited content/],
    [{ blockReason: 'NEW_WORD' }, /blocked the prompt: NEW_WORD\./],
    [
      { blockReason: 'OTHER', promptFeedback: { blockReasonMessage: 'Not here.' } },
      /\(OTHER\)\. Not here\.$/,
    ],
    [{ blockReason: 'BLOCK_REASON_UNSPECIFIED' }, empty],
    [{ candidates: [] }, empty],
  ])('gives the reason for an empty reply: %#', (state, reason) => {
    expect(image.noResult({ ...emptyImageState, ...state }, [])).toMatch(reason);
  });

  it.each<[Partial<ImageCandidate>, RegExp]>([
    [{ finishReason: 'IMAGE_SAFETY' }, /withheld the result: the safety filter blocked the image/],
    [{ parts: [text], finishReason: 'IMAGE_SAFETY' }, /withheld/],
    [{ parts: [text], finishReason: 'image_safety' }, /withheld/],
    [{ finishReason: 'content_filter' }, /withheld the result: content filter/],
    [{ finishReason: 'NO_IMAGE' }, /generated no image/],
    [{ finishReason: 'STOP' }, empty],
    [{ parts: [{ type: 'unknown', raw: {} }] }, empty],
  ])('gives the reason for the candidate %o', (candidate, reason) => {
    const candidates = [{ ...none, ...candidate }];
    expect(image.noResult({ ...emptyImageState, candidates }, [])).toMatch(reason);
  });

  it.each(['BLOCK_REASON_UNSPECIFIED', 'OTHER', null])(
    'accepts an image despite the blockReason %s',
    (blockReason) => {
      for (const finishReason of [null, 'SAFETY']) {
        const candidates = [{ ...none, parts: [picture], finishReason }];
        expect(image.noResult({ ...emptyImageState, blockReason, candidates }, [])).toBeNull();
      }
    },
  );

  it('accepts text that wasn’t withheld', () => {
    const candidates = [{ ...none, parts: [text], finishReason: 'STOP' }];
    expect(image.noResult({ ...emptyImageState, candidates }, [])).toBeNull();
  });
});

it.each([
  [null, 'The response has no audio.'],
  [medium({ sizeBytes: 44, durationSeconds: 0 }), 'The audio is empty.'],
  [medium({ sizeBytes: 0 }), 'The audio is empty.'],
  [medium({ sizeBytes: 9000, durationSeconds: null }), null],
])('reports audio without samples: %#', (media, reason) => {
  expect(speech.noResult({ ...emptySpeechState, media }, [])).toBe(reason);
});

it('reports a task without a video, a ranking without documents, a transcript without words', () => {
  expect(video.noResult(emptyVideoState, [])).toBe('The task completed without a video.');
  expect(video.noResult({ ...emptyVideoState, media: [medium({ sizeBytes: 9 })] }, [])).toBeNull();
  expect(rerank.noResult(rerank.initialState, [])).toBe(
    'The response contains no ranked documents.',
  );
  expect(transcription.noResult({ ...transcription.initialState, text: ' ' }, [])).toBe(
    'No speech was found in the audio.',
  );
});

it('sets the reason only if a run succeeds', () => {
  const view = runView('chat', { status: 'running', finishedAt: null, timings: null });
  const at = { seq: 2, atMs: 10, exchange: 0, timings: measured };
  expect(foldRun(view, { kind: 'finish', ...at }).figures?.noResult).toBe('The response is empty.');
  const error = appError('cancelled', 'Stopped.', '', {});
  const stopped = foldRun(view, { kind: 'error', status: 'cancelled', error, ...at });
  expect(stopped.figures?.noResult).toBeNull();
});

it('removes characters of the gateway that would reverse the rest of the reason', () => {
  const view = runView('image', {
    status: 'running',
    state: { ...emptyImageState, blockReason: 'NEW\u202E_WORD' },
  });
  const finish = { kind: 'finish' as const, seq: 1, atMs: 1, exchange: 0, timings: measured };
  expect(foldRun(view, finish).figures?.noResult).toBe('The gateway blocked the prompt: NEW_WORD.');
});

describe('an image response', () => {
  const file = medium({ id: 'a'.repeat(22), sizeBytes: 3 });
  const candidate = (text: string): ImageCandidate => ({
    role: 'model',
    parts: [
      { type: 'media', mediaId: file.id, mimeType: 'image/png' },
      ...(text === '' ? [] : [{ type: 'text' as const, text, thought: false }]),
    ],
    finishReason: 'STOP',
    safetyRatings: [],
  });
  const explain = (text: string, media = file) =>
    image.noResult({ ...emptyImageState, candidates: [candidate(text)], media: [media] }, [media]);

  it('has no result if its only image is bytes of an unknown format', () => {
    expect(explain('')).toBe(
      'The image in the response can’t be read: 3 bytes of an unknown format.',
    );
  });

  it('has a result with text, a readable image, or an image that is still being saved', () => {
    expect(explain('Here it is.')).toBeNull();
    expect(explain('', { ...file, kind: 'image', type: 'image/png' })).toBeNull();
    expect(explain('', { ...file, type: 'image/svg+xml' })).toBeNull();
    expect(explain('', { ...file, complete: false })).toBeNull();
  });
});
