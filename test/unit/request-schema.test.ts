import { describe, expect, it } from 'vitest';
import { readTextFields, textFieldsSchema } from '../../electron/demo/endpoints/transcription.ts';
import { chatRequestSchema } from '../../shared/operations/chat/request.ts';
import { completionRequestSchema } from '../../shared/operations/completion/request.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import { imageRequestSchema } from '../../shared/operations/image/request.ts';
import { rerankRequestSchema } from '../../shared/operations/rerank/request.ts';
import { speechRequestSchema } from '../../shared/operations/speech/request.ts';
import { transcriptionRequestSchema } from '../../shared/operations/transcription/request.ts';
import { videoRequestSchema } from '../../shared/operations/video/request.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const chat = { model: 'm', messages };
const errorsOf = (request: object) =>
  findFieldErrors(chatRequestSchema.strict(), { ...chat, ...request }).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('a chat request', () => {
  it.each([
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['presence_penalty', -2, 2],
    ['frequency_penalty', -2, 2],
  ])('holds %s to its limits, which are themselves allowed', (name, minimum, maximum) => {
    const sentence = `${name}: Enter a number from ${minimum} to ${maximum}.`;
    expect(errorsOf({ [name]: minimum })).toEqual([]);
    expect(errorsOf({ [name]: maximum })).toEqual([]);
    expect(errorsOf({ [name]: minimum - 0.1 })).toEqual([sentence]);
    expect(errorsOf({ [name]: maximum + 0.1 })).toEqual([sentence]);
  });

  it.each<[string, object, string[]]>([
    ['n below 1', { n: 0 }, ['n: Enter 1 or more.']],
    ['a fraction for n', { n: 1.5 }, ['n: Enter a whole number.']],
    ['text for a number', { temperature: 'hot' }, ['temperature: Enter a number.']],
    ['text for a switch', { stream: 'yes' }, ['stream: Enter true or false.']],
    ['null', { user: null }, ['user: Enter text.']],
    [
      'an unknown word',
      { reasoning_effort: 'max' },
      ['reasoning_effort: Use low, medium or high.'],
    ],
    ['an unknown item', { modalities: ['smell'] }, ['modalities.0: Use text or audio.']],
    ['neither text nor list', { stop: 5 }, ['stop: Enter text or a list.']],
    [
      'a tool choice of no form',
      { tool_choice: 'maybe' },
      ['tool_choice: Enter none, auto or required or a JSON object.'],
    ],
    [
      'a bias that is text',
      { logit_bias: { a: 'x' } },
      ['logit_bias.a: Enter a number for every token.'],
    ],
    [
      'a tool without a name',
      { tools: [{ type: 'function', function: {} }] },
      ['tools.0.function.name: This field is required.'],
    ],
    ['no message', { messages: [] }, ['messages: Enter a message first.']],
    ['no model', { model: '' }, ['model: Choose a model.']],
    [
      'an unknown role',
      { messages: [{ role: 'boss', content: '' }] },
      ['messages.0.role: Use system, user, assistant, tool or developer.'],
    ],
    [
      'an unknown part',
      { messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
      ['messages.0.content.0.type: Use text, image_url, input_audio, file or video_url.'],
    ],
    [
      'an image without an address',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      ['messages.0.content.0.image_url.url: This field is required.'],
    ],
  ])('says in plain words what is wrong with %s', (_name, request, expected) => {
    expect(errorsOf(request)).toEqual(expected);
  });

  it('names a field that the interface does not know', () => {
    expect(findFieldErrors(chatRequestSchema.strict(), { ...chat, top_k: 4 })).toEqual([
      {
        path: ['top_k'],
        message: 'Unknown field “top_k”. To send it anyway, add it to Extra body fields.',
      },
    ]);
    expect(findFieldErrors(chatRequestSchema, { ...chat, top_k: 4 })).toEqual([]);
  });

  it('takes every field of the interface', () => {
    const request = {
      model: 'm',
      messages: [
        { role: 'developer', content: 'Be brief.', name: 'dev' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'AAAA', file_id: 'f' } },
            { type: 'video_url', video_url: { url: 'https://x/y.mp4' } },
          ],
        },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', content: '1', tool_call_id: 'a' },
      ],
      temperature: 1,
      top_p: 1,
      n: 2,
      stream: true,
      stream_options: { include_usage: true },
      stop: ['a', 'b'],
      max_tokens: 10,
      max_completion_tokens: 10,
      presence_penalty: 0,
      frequency_penalty: 0,
      logit_bias: { '50256': -100 },
      user: 'u',
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object' } },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } },
      seed: 7,
      reasoning_effort: 'low',
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'wav' },
    };
    expect(findFieldErrors(chatRequestSchema.strict(), request)).toEqual([]);
  });
});

describe('the requests of the other endpoints', () => {
  const model = 'm';
  it.each([
    [
      'completion',
      completionRequestSchema,
      {
        model,
        prompt: 'a',
        max_tokens: 1,
        temperature: 3,
        top_p: 1,
        n: 1,
        stream: true,
        stop: '\n',
        suffix: 'z',
        echo: true,
      },
    ],
    [
      'image',
      imageRequestSchema,
      {
        model,
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'a' },
              { inlineData: { mimeType: 'image/png', data: 'AA' } },
              { inline_data: { mime_type: 'image/png', data: 'AA' } },
            ],
          },
        ],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
        },
      },
    ],
    [
      'video',
      videoRequestSchema,
      {
        model,
        prompt: 'a',
        duration: 5,
        width: 1,
        height: 1,
        image: 'AA',
        fps: 24,
        seed: 1,
        n: 1,
        response_format: 'url',
        user: 'u',
        metadata: { negative_prompt: 'b' },
      },
    ],
    [
      'rerank',
      rerankRequestSchema,
      { model, query: 'a', documents: ['a', { text: 'b' }], top_n: 1, return_documents: true },
    ],
    [
      'speech',
      speechRequestSchema,
      {
        model,
        input: 'a',
        voice: 'my-voice',
        response_format: 'pcm',
        speed: 0.25,
        instructions: 'softly',
      },
    ],
    [
      'transcription',
      transcriptionRequestSchema,
      {
        model,
        language: 'en',
        prompt: 'a',
        response_format: 'vtt',
        temperature: 0,
        timestamp_granularities: ['word', 'segment'],
        file: 'media:AAAAAAAAAAAAAAAAAAAAAA',
      },
    ],
  ])('take every field: %s', (_name, schema, request) => {
    expect(findFieldErrors(schema.strict(), request)).toEqual([]);
  });

  const speech = (more: object) =>
    findFieldErrors(speechRequestSchema, { model, input: 'a', ...more }).map((e) => e.message);

  it('counts the characters of a speech, not its UTF-16 units', () => {
    expect(speech({ input: '🦊'.repeat(4096) })).toEqual([]);
    expect(speech({ input: '🦊'.repeat(4097) })).toEqual(['Use at most 4,096 characters.']);
    expect(speech({ input: 'a'.repeat(4096) })).toEqual([]);
    expect(speech({ input: 'a'.repeat(4097) })).toHaveLength(1);
  });

  it('hold the speed of a speech to its limits', () => {
    expect(speech({ speed: 0.25 })).toEqual([]);
    expect(speech({ speed: 4 })).toEqual([]);
    expect(speech({ speed: 0.2 })).toEqual(['Enter a number from 0.25 to 4.']);
    expect(speech({ speed: 4.1 })).toEqual(['Enter a number from 0.25 to 4.']);
  });

  it('read a received transcription form as the schema wants it', () => {
    const request = readTextFields([
      ['model', 'm'],
      ['temperature', '0.2'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
    ]);
    expect(request).toEqual({
      model: 'm',
      temperature: 0.2,
      timestamp_granularities: ['word', 'segment'],
    });
    const wrong = readTextFields([
      ['model', 'm'],
      ['temperature', 'warm'],
      ['language', 'english'],
    ]);
    expect(findFieldErrors(textFieldsSchema, wrong)).toEqual([
      { path: ['language'], message: 'Enter a two-letter ISO 639-1 code such as en or de.' },
      { path: ['temperature'], message: 'Enter a number.' },
    ]);
  });
});
