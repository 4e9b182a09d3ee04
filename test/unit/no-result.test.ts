import { describe, expect, it } from 'vitest';
import { emptyChatChoice } from '../../shared/operations/chat/delta.ts';
import type { ChatChoice } from '../../shared/operations/chat/state.ts';
import { emptyImageState, type ImageCandidate } from '../../shared/operations/image/state.ts';
import { operations } from '../../shared/operations/operations.ts';
import { emptySpeechState } from '../../shared/operations/speech/speech.ts';
import { emptyVideoState } from '../../shared/operations/video/state.ts';
import { foldRun } from '../../shared/run-view.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { makeTimings } from '../fixtures/timings.ts';

const { chat, completion, image, video, rerank, speech, transcription } = operations;

const measured = makeTimings({ headAtMs: 5, endAtMs: 9, sentBytes: 9, receivedBytes: 2 });

function choice(change: Partial<ChatChoice>): ChatChoice {
  return { ...emptyChatChoice(0), ...change };
}

describe('a chat answer', () => {
  it.each([
    [[], 'The response is empty.'],
    [[choice({ content: ' \n', finishReason: 'stop' })], 'The response is empty.'],
    [[choice({ finishReason: 'content_filter' })], 'Withheld by the content filter.'],
    [[choice({ finishReason: 'length' })], 'The token limit was reached before any text.'],
    [
      [choice({ reasoning: 'Hm', finishReason: 'length' })],
      'The token limit was reached while the model was reasoning.',
    ],
    [
      [choice({ reasoning: 'Hm', finishReason: 'stop' })],
      'The model returned reasoning but no answer.',
    ],
    [[choice({ refusal: 'I cannot' })], 'The model refused.'],
    [[choice({}), choice({ index: 1, content: 'Hello' })], null],
    [[choice({ toolCalls: [{ id: '1', name: 'get_weather', arguments: '' }] })], null],
    [[choice({ audio: { id: null, media: 'm', transcript: '', expiresAt: null } })], null],
  ])('%#', (choices, reason) => {
    expect(chat.noResult({ ...chat.initialState, choices }, [])).toBe(reason);
  });

  it.each(['content_filter', 'SAFETY', 'PROHIBITED_CONTENT', 'RECITATION', 'SPII', 'BLOCKLIST'])(
    'is withheld by %s',
    (finishReason) => {
      const choices = [choice({ finishReason })];
      expect(chat.noResult({ ...chat.initialState, choices }, [])).toBe(
        'Withheld by the content filter.',
      );
    },
  );

  it('may be a picture alone, which only the media of the run hold', () => {
    const state = { ...chat.initialState, choices: [choice({ finishReason: 'stop' })] };
    const picture = { kind: 'image' as const, sizeBytes: 9 };
    expect(chat.noResult(state, [medium(picture)])).toBeNull();
    expect(chat.noResult(state, [medium({ ...picture, complete: false })])).not.toBeNull();
  });
});

describe('a reply that couldn’t be read', () => {
  const body = (text: string, truncated = false) =>
    ({ kind: 'body', text, truncated, seq: 1, atMs: 1, exchange: 0 }) as const;
  const unreadable = 'The response couldn’t be read.';
  const cut = body('{"choices":[{"message":{"content":"Hel', true);
  const strange = body('{"result":"Hello"}');

  it.each([
    ['chat', cut],
    ['chat', strange],
    ['completion', cut],
    ['completion', strange],
    ['rerank', cut],
    ['rerank', strange],
    ['transcription', strange],
  ] as const)('is not called empty: %s, %j', (name, event) => {
    const view = foldRun(runView(name, { status: 'running', finishedAt: null }), {
      kind: 'response',
      status: 200,
      headers: [],
      seq: 1,
      atMs: 1,
      exchange: 0,
    });
    const after = foldRun(foldRun(view, event), {
      kind: 'finish',
      seq: 2,
      atMs: 10,
      exchange: 0,
      timings: measured,
    });
    expect(after.figures?.noResult).toBe(unreadable);
  });

  it('is distinguished from one that says that there is nothing', () => {
    const fold = (name: 'chat' | 'rerank', text: string) =>
      foldRun(foldRun(runView(name, { status: 'running' }), body(text)), {
        kind: 'finish',
        seq: 2,
        atMs: 10,
        exchange: 0,
        timings: measured,
      }).figures?.noResult;
    expect(fold('chat', '{"choices":[]}')).toBe('The response is empty.');
    expect(fold('rerank', '{"results":[]}')).toBe('The response contains no ranked documents.');
    expect(fold('rerank', '[{"index":0,"relevance_score":0.5}]')).toBeNull();
  });
});

it('is a completion without a text', () => {
  const choices = [{ index: 0, text: '', finishReason: 'length' }];
  expect(completion.noResult({ ...completion.initialState, choices }, [])).toBe(
    'The token limit was reached before any text.',
  );
  const lineBreak = [{ index: 0, text: '\n\n', finishReason: 'stop' }];
  expect(completion.noResult({ ...completion.initialState, choices: lineBreak }, [])).toBeNull();
});

describe('an image reply', () => {
  const none: ImageCandidate = { role: 'model', parts: [], finishReason: null, safetyRatings: [] };
  const text = { type: 'text' as const, text: 'Sorry', thought: false };
  const picture = { type: 'media' as const, mediaId: 'm', mimeType: 'image/png' };

  it.each([
    [{ blockReason: 'PROHIBITED_CONTENT' }, /blocked the prompt: prohibited content/],
    [{ blockReason: 'NEW_WORD' }, /blocked the prompt: NEW_WORD\./],
    [
      { blockReason: 'OTHER', promptFeedback: { blockReasonMessage: 'Not here.' } },
      /\(OTHER\)\. Not here\.$/,
    ],
    [
      { candidates: [{ ...none, finishReason: 'IMAGE_SAFETY' }] },
      /withheld the result: the safety filter blocked the image/,
    ],
    [{ candidates: [{ ...none, parts: [text], finishReason: 'IMAGE_SAFETY' }] }, /withheld/],
    [{ candidates: [{ ...none, finishReason: 'NO_IMAGE' }] }, /generated no image/],
    [{ candidates: [{ ...none, finishReason: 'STOP' }] }, /neither text nor images\.$/],
    [{ candidates: [] }, /neither text nor images\.$/],
    [{ blockReason: 'BLOCK_REASON_UNSPECIFIED' }, /neither text nor images\.$/],
    [
      { candidates: [{ ...none, finishReason: 'content_filter' }] },
      /withheld the result: content filter/,
    ],
    [{ candidates: [{ ...none, parts: [text], finishReason: 'image_safety' }] }, /withheld/],
    [
      { candidates: [{ ...none, parts: [{ type: 'unknown' as const, raw: {} }] }] },
      /neither text nor images\.$/,
    ],
  ])('%#', (state, reason) => {
    expect(image.noResult({ ...emptyImageState, ...state }, [])).toMatch(reason);
  });

  it.each(['BLOCK_REASON_UNSPECIFIED', 'OTHER'])(
    'is a picture, whatever blockReason %s says',
    (blockReason) => {
      const candidates = [{ ...none, parts: [picture] }];
      expect(image.noResult({ ...emptyImageState, blockReason, candidates }, [])).toBeNull();
    },
  );

  it('is a result with a picture, and with a text that nothing withheld', () => {
    const withPicture = { ...none, parts: [picture], finishReason: 'SAFETY' };
    const withText = { ...none, parts: [text], finishReason: 'STOP' };
    for (const candidate of [withPicture, withText]) {
      expect(image.noResult({ ...emptyImageState, candidates: [candidate] }, [])).toBeNull();
    }
  });
});

it.each([
  [null, 'The response has no audio.'],
  [medium({ sizeBytes: 44, durationSeconds: 0 }), 'The audio is empty.'],
  [medium({ sizeBytes: 0 }), 'The audio is empty.'],
  [medium({ sizeBytes: 9000, durationSeconds: null }), null],
])('is a sound without samples: %#', (media, reason) => {
  expect(speech.noResult({ ...emptySpeechState, media }, [])).toBe(reason);
});

it('is a finished task without a film, a ranking without documents, a transcript without words', () => {
  expect(video.noResult(emptyVideoState, [])).toBe('The task completed without a video.');
  expect(video.noResult({ ...emptyVideoState, media: [medium({ sizeBytes: 9 })] }, [])).toBeNull();
  expect(rerank.noResult(rerank.initialState, [])).toBe(
    'The response contains no ranked documents.',
  );
  expect(transcription.noResult({ ...transcription.initialState, text: ' ' }, [])).toBe(
    'No speech was found in the audio.',
  );
});

it('is noted when a run ends well, and not of one that failed or was stopped', () => {
  const view = runView('chat', { status: 'running', finishedAt: null, timings: null });
  const at = { seq: 2, atMs: 10, exchange: 0, timings: measured };
  expect(foldRun(view, { kind: 'finish', ...at }).figures?.noResult).toBe('The response is empty.');
  const error = {
    kind: 'cancelled' as const,
    message: 'Stopped.',
    nextStep: '',
    gateway: null,
    detail: null,
  };
  const stopped = foldRun(view, { kind: 'error', status: 'cancelled', error, ...at });
  expect(stopped.figures?.noResult).toBeNull();
});
