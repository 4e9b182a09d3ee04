import { describe, expect, it } from 'vitest';
import { isSameModel, listFindings } from '../../shared/checks/asked.ts';
import type { AskedName } from '../../shared/checks/finding.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Figures } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';

const usage = { prompt_tokens: 5, completion_tokens: 8, total_tokens: 13 };

const figures = (more: Partial<Figures> = {}): Figures => ({
  model: null,
  usage: null,
  finishReasons: [],
  noResult: null,
  ...more,
});

const says = (content: string, finishReason = 'stop') => [chatChoice({ content, finishReason })];
const chat = (choices = says('Hi'), got: Partial<Figures> = {}, model = '') =>
  runView('chat', { status: 'succeeded', model, figures: figures(got), state: { choices } });
const calls = (name: string, text: string) =>
  chat([
    chatChoice({ toolCalls: [{ id: '1', name, arguments: text }], finishReason: 'tool_calls' }),
  ]);
const image = (width: number, height: number) =>
  runView('image', { status: 'succeeded', media: [medium({ kind: 'image', width, height })] });
const video = (durationSeconds: number) =>
  runView('video', {
    status: 'succeeded',
    media: [medium({ kind: 'video', width: 640, height: 360, durationSeconds })],
  });
const ranked = (count: number, more: object = {}) =>
  runView('rerank', {
    status: 'succeeded',
    state: {
      documentCount: 3,
      results: Array.from({ length: count }, (_, index) => ({
        index,
        relevanceScore: 1 - index / 10,
        document: null,
        problem: null,
      })),
      ...more,
    },
  });
const spoken = (receivedFormat: 'mp3' | 'wav') =>
  runView('speech', { status: 'succeeded', state: { receivedFormat } });
const heard = (end: number) =>
  runView('transcription', {
    status: 'succeeded',
    state: { segments: [{ id: 0, start: 0, end, text: 'Hi' }], durationSeconds: 2 },
  });
const vectors = (dimensions: number) =>
  runView('embeddings', { status: 'succeeded', state: { dimensions } });

const schema: JsonObject = {
  type: 'json_schema',
  json_schema: {
    name: 'city',
    schema: {
      type: 'object',
      properties: { city: { type: 'string', format: 'email' }, days: { type: 'integer' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};
const patterned: JsonObject = {
  type: 'json_schema',
  json_schema: { schema: { type: 'string', pattern: '^(a+)+$' } },
};
const tools: JsonObject['tools'] = [
  {
    type: 'function',
    function: {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

/** Null: the rule doesn't apply, or can't tell. */
const cases: [AskedName, string, JsonObject, RunView<OperationName>, boolean | null][] = [
  ['model', 'a version of the model', {}, chat(says('Hi'), { model: 'o/m-2' }, 'm'), true],
  ['model', 'another model', {}, chat(says('Hi'), { model: 'm-mini' }, 'm'), false],
  ['model', 'no model in the response', {}, chat(says('Hi'), {}, 'm'), null],
  ['choices', 'as many choices', { n: 1 }, chat(), true],
  ['choices', 'too few choices', { n: 2 }, chat(), false],
  ['choices', 'no n', {}, chat(), null],
  ['stop', 'text without the sequence', { stop: ['END', ''] }, chat(says('A B')), true],
  ['stop', 'text with the sequence', { stop: 'END' }, chat(says('A END B')), false],
  ['stop', 'no sequence', { stop: [] }, chat(says('A END B')), null],
  ['max-tokens', 'fewer tokens', { max_tokens: 8 }, chat(says('A'), { usage }), true],
  ['max-tokens', 'more tokens', { max_tokens: 7 }, chat(says('A'), { usage }), false],
  [
    'max-tokens',
    'tokens of two choices',
    { max_tokens: 4, n: 2 },
    chat(says('A'), { usage }),
    true,
  ],
  [
    'max-tokens',
    'reasoning besides max_tokens',
    { max_tokens: 4 },
    chat(says('A'), {
      usage: { ...usage, completion_tokens_details: { reasoning_tokens: 5 } },
    }),
    true,
  ],
  [
    'max-tokens',
    'reasoning within max_completion_tokens',
    { max_completion_tokens: 4 },
    chat(says('A'), {
      usage: { ...usage, completion_tokens_details: { reasoning_tokens: 5 } },
    }),
    false,
  ],
  ['max-tokens', 'no usage', { max_tokens: 4 }, chat(), null],
  ['schema', 'JSON that matches', { response_format: schema }, chat(says('{"city":"x"}')), true],
  ['schema', 'a missing field', { response_format: schema }, chat(says('{"days":1}')), false],
  ['schema', 'text', { response_format: schema }, chat(says('Sure!')), false],
  ['schema', 'text that was cut', { response_format: schema }, chat(says('{"c', 'length')), null],
  ['schema', 'a pattern', { response_format: patterned }, chat(says('"aaaa!"')), null],
  ['schema', 'an object', { response_format: { type: 'json_object' } }, chat(says('{}')), true],
  ['schema', 'a list', { response_format: { type: 'json_object' } }, chat(says('[]')), false],
  ['arguments', 'valid arguments', { tools }, calls('weather', '{"city":"Oslo"}'), true],
  ['arguments', 'a missing argument', { tools }, calls('weather', ''), false],
  ['arguments', 'broken JSON', { tools }, calls('weather', '{"city"'), false],
  ['arguments', 'an unknown tool', { tools }, calls('clock', '{}'), false],
  ['arguments', 'no call', { tools }, chat(), null],
  ['usage', 'counts that add up', {}, chat(says('A'), { usage }), true],
  [
    'usage',
    'reasoning beside the output',
    {},
    chat(says('A'), {
      usage: { ...usage, total_tokens: 20, completion_tokens_details: { reasoning_tokens: 7 } },
    }),
    true,
  ],
  ['usage', 'a wrong total', {}, chat(says('A'), { usage: { ...usage, total_tokens: 14 } }), false],
  [
    'usage',
    'more cached than input tokens',
    {},
    chat(says('A'), { usage: { ...usage, prompt_tokens_details: { cached_tokens: 6 } } }),
    false,
  ],
  ['pixels', 'the size', { format: 'images', size: '64x32' }, image(64, 32), true],
  ['pixels', 'another size', { format: 'images', size: '64x32' }, image(32, 32), false],
  ['pixels', 'any size', { format: 'images', size: 'auto' }, image(32, 32), null],
  [
    'pixels',
    'a rounded ratio',
    { generationConfig: { imageConfig: { aspectRatio: '4:3' } } },
    image(1184, 864),
    true,
  ],
  [
    'pixels',
    'another ratio',
    { generationConfig: { imageConfig: { aspectRatio: '16:9' } } },
    image(1024, 1024),
    false,
  ],
  ['audio-format', 'the format', { response_format: 'mp3' }, spoken('mp3'), true],
  ['audio-format', 'another format', { response_format: 'wav' }, spoken('mp3'), false],
  ['video-size', 'the size', { width: 640, height: 360 }, video(5), true],
  ['video-size', 'another size', { width: 1280, height: 720 }, video(5), false],
  ['duration', 'a frame more', { duration: 5 }, video(5.04), true],
  ['duration', 'another length', { duration: 5 }, video(8), false],
  ['order', 'sorted results', {}, ranked(3), true],
  ['order', 'unsorted results', {}, ranked(3, { wasUnsorted: true }), false],
  ['top-n', 'as many results', { top_n: 2 }, ranked(2), true],
  ['top-n', 'all results', { top_n: 2 }, ranked(3), false],
  ['top-n', 'more than there are documents', { top_n: 9 }, ranked(3), true],
  ['timestamps', 'timestamps within the audio', {}, heard(2.1), true],
  ['timestamps', 'timestamps after the audio', {}, heard(2000), false],
  ['dimensions', 'the length', { dimensions: 256 }, vectors(256), true],
  ['dimensions', 'another length', { dimensions: 256 }, vectors(1024), false],
];

describe('what was asked against what came', () => {
  it.each(cases)('judges %s: %s', (name, _title, request, view, expected) => {
    const findings = listFindings({ view, request, sentSeconds: null });
    expect(findings.find((finding) => finding.name === name)?.holds ?? null).toBe(expected);
  });

  it('finds nothing in a run that failed', () => {
    const failed = runView('chat', { status: 'failed', state: { choices: says('Hi') } });
    expect(listFindings({ view: failed, request: { n: 2 }, sentSeconds: null })).toEqual([]);
  });

  it('doesn’t speak of a schema if any JSON object was asked for', () => {
    const note = (content: string) => {
      const request = { response_format: { type: 'json_object' } };
      return listFindings({ view: chat(says(content)), request, sentSeconds: null })[0]?.note;
    };
    expect(note('{}')).toBe('The answer is a JSON object.');
    expect(note('[]')).toBe('Asked for a JSON object; the JSON isn’t an object.');
  });

  it('removes characters of the gateway that would reverse the rest of the note', () => {
    const view = chat(says('Hi'), { model: 'other\u202Emodel' }, 'm');
    const [finding] = listFindings({ view, request: {}, sentSeconds: null });
    expect(finding?.note).toContain('names othermodel.');
  });

  it('keeps one short line of a name of megabytes', () => {
    const view = chat(says('Hi'), { model: `other\n${'z'.repeat(1_000_000)}` }, 'm');
    const [finding] = listFindings({ view, request: {}, sentSeconds: null });
    expect(finding?.note).toMatch(/names other z+…$/);
    expect(finding?.note).toHaveLength(400);
  });

  it('compares a hostile name in linear time', async () => {
    const create = (length: number) => `m${'-1'.repeat(length)}x`;
    await expectLinear(400_000, create, (name) => isSameModel('m', name));
  });

  it('prefers the length of the file over the length in the response', () => {
    const [finding] = listFindings({ view: heard(2), request: {}, sentSeconds: 1 });
    expect(finding).toMatchObject({
      holds: false,
      note: expect.stringContaining('1.0 s of audio'),
    });
  });

  it.each([
    ['gpt-4o', 'gpt-4o-2024-08-06', true],
    ['openai/gpt-4o', 'gpt-4o', true],
    ['llama', 'llama:free', true],
    ['claude', 'claude-4.5-2025-09-29:beta', true],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['gpt-4', 'gpt-4o', false],
  ])('compares %s with %s', (one, other, isSame) => {
    expect(isSameModel(one, other)).toBe(isSame);
    expect(isSameModel(other, one)).toBe(isSame);
  });
});
