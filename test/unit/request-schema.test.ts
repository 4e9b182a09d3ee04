import { describe, expect, it } from 'vitest';
import { readTextFields, textFieldsSchema } from '../../electron/demo/endpoints/audio.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import { getCompletionRequestSchema } from '../../shared/operations/completion/request.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import { getImageRequestSchema } from '../../shared/operations/image/request.ts';
import { getRerankRequestSchema } from '../../shared/operations/rerank/request.ts';
import { getSpeechRequestSchema } from '../../shared/operations/speech/request.ts';
import { getTranscriptionRequestSchema } from '../../shared/operations/transcription/request.ts';
import { getVideoRequestSchema } from '../../shared/operations/video/request.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const chat = { model: 'm', messages };
const errorsOf = (request: object) =>
  findFieldErrors(getChatRequestSchema().strict(), { ...chat, ...request }).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
const withPart = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });

describe('a chat request', () => {
  it.each([
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['presence_penalty', -2, 2],
    ['frequency_penalty', -2, 2],
  ])('accepts %s from minimum to maximum', (name, minimum, maximum) => {
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
    ['an unknown word', { format: 'telex' }, ['format: Use messages or responses.']],
    ['an empty effort', { reasoning_effort: '' }, ['reasoning_effort: Enter an effort.']],
    ['an unknown item', { modalities: ['smell'] }, ['modalities.0: Use text, image or audio.']],
    ['neither text nor list', { stop: 5 }, ['stop: Enter text or a list.']],
    [
      'an unknown tool choice',
      { tool_choice: 'maybe' },
      ['tool_choice: Enter none, auto or required or a JSON object.'],
    ],
    ['text as bias', { logit_bias: { a: 'x' } }, ['logit_bias.a: Enter a number for every token.']],
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
      ['messages.0.role: Use system, user, assistant, tool, developer or function.'],
    ],
    [
      'an unknown part',
      withPart({ type: 'smell' }),
      ['messages.0.content.0.type: Use text, image_url, input_audio, file or video_url.'],
    ],
    [
      'an image without an address',
      withPart({ type: 'image_url', image_url: {} }),
      ['messages.0.content.0.image_url.url: This field is required.'],
    ],
  ])('explains in plain words why it rejects %s', (_name, request, expected) => {
    expect(errorsOf(request)).toEqual(expected);
  });

  it('names an unknown field', () => {
    expect(errorsOf({ top_k: 4 })).toEqual([
      'top_k: Unknown field “top_k”. To send it anyway, add it to Extra JSON.',
    ]);
    expect(findFieldErrors(getChatRequestSchema(), { ...chat, top_k: 4 })).toEqual([]);
  });

  it('accepts every field of the interface', () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'AAAA', file_id: 'f' } },
      { type: 'video_url', video_url: { url: 'https://x/y.mp4' } },
    ];
    const tool = { name: 'f', description: 'd', parameters: { type: 'object' } };
    const request = {
      messages: [
        { role: 'developer', content: 'Be brief.', name: 'dev' },
        { role: 'user', content: parts },
        { role: 'assistant', content: '', reasoning_content: 'hm', tool_calls: [call] },
        { role: 'tool', content: '1', tool_call_id: 'a' },
      ],
      temperature: 1,
      top_p: 1,
      n: 2,
      presence_penalty: 0,
      frequency_penalty: 0,
      seed: 7,
      stream: true,
      stream_options: { include_usage: true },
      stop: ['a', 'b'],
      user: 'u',
      max_tokens: 10,
      max_completion_tokens: 10,
      logit_bias: { '50256': -100 },
      tools: [{ type: 'function', function: tool }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } },
      reasoning_effort: 'max',
      modalities: ['text', 'image', 'audio'],
      audio: { voice: 'alloy', format: 'wav' },
    };
    expect(errorsOf(request)).toEqual([]);
  });
});

describe('the requests of the other endpoints', () => {
  const model = 'm';
  const inlineData = { mimeType: 'image/png', data: 'AA' };
  const inline_data = { mime_type: 'image/png', data: 'AA' };
  const format = { response_format: 'vtt', timestamp_granularities: ['word', 'segment'] };
  const contents = [{ role: 'user', parts: [{ text: 'a' }, { inlineData }, { inline_data }] }];
  const imageConfig = { aspectRatio: '16:9', imageSize: '2K' };
  const generationConfig = { responseModalities: ['TEXT', 'IMAGE'], imageConfig };
  const file = `media:${'A'.repeat(22)}`;
  it.each([
    [
      getCompletionRequestSchema(),
      {
        prompt: 'a',
        suffix: 'z',
        echo: true,
        stream: true,
        stop: '\n',
        max_tokens: 1,
        temperature: 3,
        top_p: 1,
        n: 1,
      },
    ],
    [getImageRequestSchema(), { contents, generationConfig }],
    [
      getVideoRequestSchema(),
      {
        prompt: 'a',
        image: 'AA',
        duration: 5,
        width: 1,
        height: 1,
        fps: 24,
        seed: 1,
        n: 1,
        response_format: 'url',
        user: 'u',
        metadata: { negative_prompt: 'b' },
      },
    ],
    [
      getRerankRequestSchema(),
      { query: 'a', documents: ['a', { text: 'b' }], top_n: 1, return_documents: true },
    ],
    [
      getSpeechRequestSchema(),
      { input: 'a', voice: 'v', response_format: 'pcm', speed: 0.25, instructions: 'softly' },
    ],
    [
      getTranscriptionRequestSchema(),
      { language: 'en', prompt: 'a', temperature: 0, file, ...format },
    ],
  ])('accepts every field: %#', (schema, request) => {
    expect(findFieldErrors(schema.strict(), { model, ...request })).toEqual([]);
  });

  const tooLong = 'Use at most 4,096 characters.';
  const outside = 'Enter a number from 0.25 to 4.';
  it.each<[string, object, string[]]>([
    ['4,096 emoji, each two UTF-16 units', { input: '🦊'.repeat(4096) }, []],
    ['4,097 emoji', { input: '🦊'.repeat(4097) }, [tooLong]],
    ['4,096 letters', { input: 'a'.repeat(4096) }, []],
    ['4,097 letters', { input: 'a'.repeat(4097) }, [tooLong]],
    ['the lowest speed', { speed: 0.25 }, []],
    ['the highest speed', { speed: 4 }, []],
    ['a lower speed', { speed: 0.2 }, [outside]],
    ['a higher speed', { speed: 4.1 }, [outside]],
  ])('limits speech: %s', (_name, more, messages) => {
    const errors = findFieldErrors(getSpeechRequestSchema(), { model, input: 'a', ...more });
    expect(errors.map(({ message }) => message)).toEqual(messages);
  });

  it('reads the fields of a recorded transcription form as the types of the schema', () => {
    const word: [string, string] = ['timestamp_granularities[]', 'word'];
    const segment: [string, string] = ['timestamp_granularities[]', 'segment'];
    expect(readTextFields([['model', 'm'], ['temperature', '0.2'], word, segment])).toEqual({
      model,
      temperature: 0.2,
      timestamp_granularities: ['word', 'segment'],
    });
    const wrong = Object.entries({ model, temperature: 'warm', language: 'english' });
    expect(findFieldErrors(textFieldsSchema, readTextFields(wrong))).toEqual([
      { path: ['language'], message: 'Enter a two-letter ISO 639-1 code such as en or de.' },
      { path: ['temperature'], message: 'Enter a number.' },
    ]);
  });
});
