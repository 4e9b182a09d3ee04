import { expect, test } from 'vitest';
import { emptyChatState } from '../../shared/operations/chat/state.ts';
import { emptyCompletionState } from '../../shared/operations/completion/completion.ts';
import { emptyImageState } from '../../shared/operations/image/state.ts';
import { operations } from '../../shared/operations/operations.ts';
import { emptyRerankState } from '../../shared/operations/rerank/rerank.ts';
import { emptySpeechState } from '../../shared/operations/speech/speech.ts';
import { emptyTranscriptionState } from '../../shared/operations/transcription/state.ts';
import { emptyVideoState } from '../../shared/operations/video/state.ts';
import { quantitiesSchema } from '../../shared/quantities.ts';
import { medium } from '../fixtures/medium.ts';

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

const { chat, completion, image: imageOf, video: videoOf } = operations;
const { rerank, speech, transcription, console: consoleOf } = operations;

test.each([
  [
    'chat: its tokens, the cached ones among them',
    chat.quantities({ ...emptyChatState, usage }, []),
    { inputTokens: 10, cachedTokens: 4, outputTokens: 5 },
  ],
  [
    'chat: images and sounds of its answer',
    chat.quantities({ ...emptyChatState, usage }, [image, sound, image]),
    { inputTokens: 10, cachedTokens: 4, outputTokens: 5, images: 2, soundSeconds: 2.5 },
  ],
  [
    'chat: unknown where the length of a sound is',
    chat.quantities({ ...emptyChatState, usage }, [{ ...sound, durationSeconds: null }]),
    { inputTokens: 10, cachedTokens: 4, outputTokens: 5, soundSeconds: null },
  ],
  [
    'chat without usage: unknown, not 0',
    chat.quantities(emptyChatState, []),
    { inputTokens: null, outputTokens: null },
  ],
  [
    'completion: output from the total',
    completion.quantities(
      { ...emptyCompletionState, usage: { prompt_tokens: 10, total_tokens: 25 } },
      [],
    ),
    { inputTokens: 10, outputTokens: 15 },
  ],
  [
    'completion: what is not a count is unknown',
    completion.quantities(
      { ...emptyCompletionState, usage: { prompt_tokens: -1, completion_tokens: 3 } },
      [],
    ),
    { inputTokens: null, outputTokens: 3 },
  ],
  [
    'image: what came whole, and what is named by an address',
    imageOf.quantities(
      {
        ...emptyImageState,
        candidates: [{ ...candidate, parts: [link, { type: 'text', text: '', thought: false }] }],
        usage: { promptTokenCount: 8, candidatesTokenCount: 1290, totalTokenCount: 1298 },
      },
      [image, medium({ kind: 'image', complete: false })],
    ),
    { inputTokens: 8, outputTokens: 1290, images: 2 },
  ],
  [
    'image: none where the answer has none',
    imageOf.quantities({ ...emptyImageState, candidates: [candidate] }, []),
    { inputTokens: null, outputTokens: null, images: 0 },
  ],
  [
    'image: unknown where nothing was answered',
    imageOf.quantities(emptyImageState, []),
    { inputTokens: null, outputTokens: null, images: null },
  ],
  [
    'video: the seconds of all that came',
    videoOf.quantities(emptyVideoState, [video, video]),
    { videoSeconds: 8 },
  ],
  [
    'video: unknown where the length of one is',
    videoOf.quantities(emptyVideoState, [video, { ...video, durationSeconds: null }]),
    { videoSeconds: null },
  ],
  [
    'video: unknown before it came',
    videoOf.quantities(emptyVideoState, []),
    { videoSeconds: null },
  ],
  [
    'rerank: all tokens were read',
    rerank.quantities({ ...emptyRerankState, usage: { total_tokens: 30 } }, []),
    { inputTokens: 30 },
  ],
  ['rerank without usage', rerank.quantities(emptyRerankState, []), { inputTokens: null }],
  [
    'speech: the characters that were sent, and the seconds that came',
    speech.quantities({ ...emptySpeechState, media: sound, characterCount: 12 }, [sound]),
    { characters: 12, soundSeconds: 2.5 },
  ],
  [
    'speech: unknown where no sound came',
    speech.quantities({ ...emptySpeechState, characterCount: 12 }, []),
    { characters: null, soundSeconds: null },
  ],
  [
    'transcription: the sound that was sent',
    transcription.quantities(
      { ...emptyTranscriptionState, isAnswered: true, soundSeconds: 61, durationSeconds: 60 },
      [],
    ),
    { soundSeconds: 61 },
  ],
  [
    'transcription: as long as the reply says',
    transcription.quantities(
      { ...emptyTranscriptionState, isAnswered: true, durationSeconds: 60 },
      [],
    ),
    { soundSeconds: 60 },
  ],
  [
    'transcription: unknown where it was refused',
    transcription.quantities({ ...emptyTranscriptionState, soundSeconds: 61 }, []),
    { soundSeconds: null },
  ],
  ['console: nothing that has a price', consoleOf.quantities(consoleOf.initialState, []), {}],
])('%s', (_what, quantities, expected) => {
  expect(quantities).toEqual(expected);
  expect(quantitiesSchema.parse(quantities)).toEqual(expected);
});

test('characters are those of the text, not of its encoding', () => {
  const state = speech.fold(emptySpeechState, {
    kind: 'request',
    seq: 1,
    atMs: 0,
    exchange: 0,
    method: 'POST',
    url: 'http://127.0.0.1/v1/audio/speech',
    headers: [],
    body: JSON.stringify({ model: 'm', input: 'Grüße 👋', voice: 'alloy' }),
  });
  expect(state.characterCount).toBe(7);
});
