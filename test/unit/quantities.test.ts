import { expect, test } from 'vitest';
import type { Media } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { quantitiesSchema } from '../../shared/quantities.ts';
import { getQuantities } from '../../shared/run-view.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';

const image = medium({ kind: 'image' });
const video = medium({ kind: 'video', durationSeconds: 4 });
const sound = medium({ kind: 'audio', durationSeconds: 2.5 });
const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 4 },
};
const candidate = { role: 'model', parts: [], finishReason: null, safetyRatings: [] };
const link = { type: 'link', url: 'https://example.com/a.png', mimeType: 'image/png' } as const;
const linked = { ...candidate, parts: [link, { type: 'text', text: '', thought: false }] };
const imageUsage = { promptTokenCount: 8, candidatesTokenCount: 1290, totalTokenCount: 1298 };
const tokens = { inputTokens: 10, cachedTokens: 4, outputTokens: 5 };
const none = { inputTokens: null, outputTokens: null };
const answered = { isAnswered: true, durationSeconds: 60 };

test.each<[string, OperationName, object, object, Media[]?]>([
  ['tokens, some of them cached', 'chat', { usage }, tokens],
  ['media', 'chat', { usage }, { ...tokens, images: 2, soundSeconds: 2.5 }, [image, sound, image]],
  [
    'unknown audio',
    'chat',
    { usage },
    { ...tokens, soundSeconds: null },
    [medium({ kind: 'audio' })],
  ],
  ['no usage', 'chat', {}, none],
  [
    'a total',
    'completion',
    { usage: { prompt_tokens: 10, total_tokens: 25 } },
    { inputTokens: 10, outputTokens: 15 },
  ],
  [
    'a wrong count',
    'completion',
    { usage: { prompt_tokens: -1, completion_tokens: 3 } },
    { inputTokens: null, outputTokens: 3 },
  ],
  [
    'whole and linked images',
    'image',
    { candidates: [linked], usage: imageUsage },
    { inputTokens: 8, outputTokens: 1290, images: 2 },
    [image, medium({ kind: 'image', complete: false })],
  ],
  [
    'thoughts and cached tokens',
    'image',
    {
      candidates: [linked],
      usage: { ...imageUsage, thoughtsTokenCount: 28, cachedContentTokenCount: 6 },
    },
    { inputTokens: 8, cachedTokens: 6, outputTokens: 1318, images: 1 },
  ],
  ['an answer without images', 'image', { candidates: [candidate] }, { ...none, images: 0 }],
  ['no answer', 'image', {}, { ...none, images: null }],
  ['two videos', 'video', {}, { videoSeconds: 8 }, [video, video]],
  [
    'one unknown',
    'video',
    {},
    { videoSeconds: null },
    [video, { ...video, durationSeconds: null }],
  ],
  ['no video yet', 'video', {}, { videoSeconds: null }],
  ['the tokens it read', 'rerank', { usage: { total_tokens: 30 } }, { inputTokens: 30 }],
  ['no usage', 'rerank', {}, { inputTokens: null }],
  [
    'sent characters',
    'speech',
    { media: { ...sound }, characterCount: 12 },
    { characters: 12, soundSeconds: 2.5 },
    [sound],
  ],
  [
    'tokens and characters',
    'speech',
    { media: { ...sound }, characterCount: 12, usage: { input_tokens: 3, output_tokens: 90 } },
    { inputTokens: 3, outputTokens: 90, characters: 12, soundSeconds: 2.5 },
    [sound],
  ],
  [
    'a charge in the usage',
    'completion',
    { usage: { ...usage, cost: '0.02' } },
    { ...tokens, chargedDollars: 0.02 },
  ],
  ['no audio', 'speech', { characterCount: 12 }, { characters: null, soundSeconds: null }],
  ['sent audio', 'transcription', { ...answered, soundSeconds: 61 }, { soundSeconds: 61 }],
  ['the length in the response', 'transcription', answered, { soundSeconds: 60 }],
  ['no answer', 'transcription', { soundSeconds: 61 }, { soundSeconds: null }],
  ['nothing that has a price', 'console', {}, {}],
])('counts %s of a %s run', (_what, operation, state, expected, media = []) => {
  const quantities = getQuantities(runView(operation, { state, media }));
  expect(quantities).toEqual(expected);
  expect(quantitiesSchema.parse(quantities)).toEqual(expected);
});

test('counts the characters of the text itself, not of its encoding', () => {
  const { speech } = operations;
  const state = speech.fold(speech.initialState, {
    kind: 'request',
    seq: 1,
    atMs: 0,
    exchange: 0,
    method: 'POST',
    headers: [],
    url: 'http://127.0.0.1/v1/audio/speech',
    body: JSON.stringify({ model: 'm', input: 'Grüße 👋', voice: 'alloy' }),
  });
  expect(state.characterCount).toBe(7);
});
