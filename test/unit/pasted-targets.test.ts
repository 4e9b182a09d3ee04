import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { detectTarget } from '../../shared/pasted/detect-target.ts';
import { convertGeminiChat } from '../../shared/pasted/gemini-chat.ts';
import type { PastedBody } from '../../shared/pasted/pasted-request.ts';
import { takeSecrets } from '../../shared/pasted/take-secrets.ts';
import type { HeaderList } from '../../shared/run.ts';

const json = (value: JsonObject): PastedBody => ({ kind: 'json', value });
const form: PastedBody = { kind: 'form', fields: [], files: [] };
const messages = [{ role: 'user', content: 'Hi' }];
const fox = [{ parts: [{ text: 'A fox' }] }];

it.each([
  ['https://api.openai.com/v1/chat/completions', json({ messages }), 'chat', ''],
  ['https://x.azure.com/openai/deployments/d/chat/completions?api-version=1', json({}), 'chat', ''],
  ['https://api.openai.com/v1/responses/', json({}), 'chat', 'responses'],
  ['https://api.anthropic.com/v1/messages?beta=true', json({}), 'chat', 'messages'],
  ['http://localhost:8080/v1/completions', json({}), 'completion', ''],
  ['https://a.example/v1/embeddings', json({}), 'embeddings', ''],
  ['https://a.example/v1/rerank', json({}), 'rerank', ''],
  ['https://a.example/v1/ranking', json({}), 'rerank', 'ranking'],
  ['https://a.example/rerank', json({ texts: ['a'] }), 'rerank', 'texts'],
  ['https://a.example/v1/images/generations', json({}), 'image', 'images'],
  ['https://a.example/v1/images/edits', form, 'image', 'images'],
  ['https://a.example/v1/video/generations', json({}), 'video', ''],
  ['https://a.example/v1/videos', form, 'video', 'videos'],
  ['https://a.example/v1/audio/speech', json({}), 'speech', ''],
  ['https://a.example/v1/audio/transcriptions', form, 'transcription', ''],
])('finds the panel and format of %s', (url, body, operation, format) => {
  expect(detectTarget('POST', url, body)).toMatchObject({ operation, format });
});

it.each([
  ['GET', 'https://a.example/v1/models', json({})],
  ['POST', 'https://a.example/v1/fine_tuning/jobs', json({})],
  ['POST', 'https://api.openai.com/v1/threads/thread_1/messages', json({})],
  ['POST', 'https://a.example/v1/chat/completions', form],
  ['POST', 'https://a.example/v1/chat/completions', { kind: 'text' as const, text: '{' }],
])('leaves %s %s to the Console', (method, url, body) => {
  expect(detectTarget(method, url, body)).toBeNull();
});

it.each([
  [{ model: 'gpt-5.4', messages }, 'chat', ''],
  [{ model: 'claude-opus-4-6', max_tokens: 9, messages }, 'chat', 'messages'],
  [{ model: 'anthropic/claude-opus-4-6', messages }, 'chat', ''],
  [{ model: 'm', system: 'Be brief.', messages }, 'chat', 'messages'],
  [{ model: 'm', messages, tools: [{ name: 't', input_schema: {} }] }, 'chat', 'messages'],
  [{ model: 'gpt-5.4', input: 'Hi', instructions: 'Be brief.' }, 'chat', 'responses'],
  [{ model: 'tts-1', input: 'Hi', voice: 'alloy' }, 'speech', ''],
  [{ model: 'text-embedding-3-small', input: 'Hi' }, 'embeddings', ''],
  [{ model: 'm', input: ['a', 'b'] }, 'embeddings', ''],
  [{ model: 'm', query: 'q', documents: ['a'] }, 'rerank', ''],
  [{ model: 'gpt-image-1.5', prompt: 'A fox', size: 'auto' }, 'image', 'images'],
  [{ model: 'sora-2', prompt: 'A fox', seconds: '4' }, 'video', 'videos'],
  [{ model: 'gpt-3.5-turbo-instruct', prompt: 'Once', max_tokens: 9 }, 'completion', ''],
  [{ contents: [{ parts: [{ text: 'Hi' }] }] }, 'chat', ''],
  [{ contents: fox, generationConfig: { responseModalities: ['IMAGE'] } }, 'image', ''],
])('finds the panel of the body %j', (body, operation, format) => {
  expect(detectTarget('POST', null, json(body))).toMatchObject({ operation, format });
});

it.each([{ name: 'Ada' }, { messages: [] }, { prompt: 'Hi' }, { model: 'm', prompt: 'Hi' }])(
  'returns null for %j',
  (body) => {
    expect(detectTarget('POST', null, json(body))).toBeNull();
  },
);

function take(headers: HeaderList, url = 'https://a.example/v1') {
  return takeSecrets({
    source: 'curl',
    method: 'POST',
    url,
    headers,
    body: { kind: 'none' },
    notes: [],
  });
}

it.each([
  ['Authorization', 'Bearer sk-abc12345', 'Bearer', 'sk-abc12345'],
  ['authorization', 'bearer sk-abc12345', 'Bearer', 'sk-abc12345'],
  ['Authorization', 'Basic ada:secret', 'Basic', 'ada:secret'],
  ['x-api-key', 'sk-ant-1', '', 'sk-ant-1'],
  ['api-key', '0123abcd', '', '0123abcd'],
  ['x-goog-api-key', 'AIza1', '', 'AIza1'],
])('removes the header %s: %s and returns its key separately', (name, text, scheme, value) => {
  const taken = take([[name, text]].concat([['Idempotency-Key', '1']]) as HeaderList);
  expect(taken.request.headers).toEqual([['Idempotency-Key', '1']]);
  expect(taken.removed).toEqual([`the ${name} header`]);
  expect(taken.key).toEqual({ place: 'header', header: { name, scheme }, value });
});

it.each([
  ['cf-aig-authorization', 'Bearer abc'],
  ['x-authorization', 'abc'],
  ['Authentication', 'abc'],
  ['x-litellm-key', 'abc'],
  ['x-portkey-virtual-key', 'abc'],
  ['x-functions-key', 'abc'],
  ['x-access-key', 'abc'],
  ['X-Master-Key', 'abc'],
  ['ocp-apim-subscription-key', 'abc'],
  ['Cookie', 'session=abc'],
  ['Set-Cookie', 'session=abc'],
  ['x-upstream', 'Bearer abc'],
  ['x-upstream', 'Basic YWRhOnNlY3JldA=='],
  ['x-portkey-config', '{"provider":"openai","api":"sk-abc12345"}'],
])('removes the secret header %s: %s and names it', (name, value) => {
  const taken = take([
    ['X-Title', 'Basic risk-free keyboard'],
    ['X-Idempotency-Key', '1'],
    ['anthropic-beta', 'token-efficient-tools'],
    ['Authorization', 'Bearer first-1234'],
    [name, value],
  ]);
  expect(taken.request.headers.map(([kept]) => kept)).toEqual([
    ...['X-Title', 'X-Idempotency-Key', 'anthropic-beta'],
  ]);
  expect(taken.removed).toEqual(['the Authorization header', `the ${name} header`]);
});

it('prefers the provider’s key to a gateway’s', () => {
  const { key } = take([
    ['cf-aig-authorization', 'Bearer gateway-1'],
    ['Authorization', 'Bearer sk-abc12345'],
  ]);
  expect(key).toMatchObject({ header: { name: 'Authorization' }, value: 'sk-abc12345' });
});

it('removes keys and logins from the URL', () => {
  const google = take([], 'https://a.example/v1/x?alt=sse&key=AIza1#top');
  expect(google.request.url).toBe('https://a.example/v1/x?alt=sse#top');
  expect(google.removed).toEqual(['the key parameter']);
  expect(google.key).toEqual({ place: 'query', name: 'key', value: 'AIza1' });
  const login = take([], 'https://ada:secret@a.example/v1');
  expect(login.request.url).toBe('https://a.example/v1');
  expect(login.removed).toEqual(['the login in the URL']);
  expect(login.key).toMatchObject({ header: { scheme: 'Basic' }, value: 'ada:secret' });
});

it.each([
  'Bearer $OPENAI_API_KEY',
  'Bearer %OPENAI_API_KEY%',
  `Bearer \${process.env.OPENAI_API_KEY}`,
  'Bearer <token>',
  'Bearer YOUR_API_KEY',
  'Bearer sk-...',
])('removes the placeholder %s without offering it as a key', (value) => {
  const { key, removed } = take([['Authorization', value]]);
  expect(key).toBeNull();
  expect(removed).toEqual(['the Authorization header']);
});

it('converts a Gemini chat with tools, media and settings', () => {
  const parts = [{ text: 'Look' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }];
  const request = {
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { b: 2 } } }] },
      { parts: [{ text: 'And?' }] },
    ],
    tools: [
      { functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }] },
      { googleSearch: {} },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    generationConfig: {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 100,
      stopSequences: ['x'],
      responseMimeType: 'application/json',
      responseSchema: { type: 'STRING' },
      thinkingConfig: { thinkingLevel: 'LOW' },
    },
    safetySettings: [],
  };
  const { body, left } = convertGeminiChat(request, 'gemini-3-flash', true);
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
  const json_schema = { name: 'response', schema: { type: 'string' } };
  expect(body).toEqual({
    model: 'gemini-3-flash',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"b":2}' },
      { role: 'user', content: 'And?' },
    ],
    stream: true,
    temperature: 0.5,
    top_p: 0.9,
    max_tokens: 100,
    stop: ['x'],
    top_k: 40,
    response_format: { type: 'json_schema', json_schema },
    reasoning_effort: 'low',
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
  });
  expect(left).toEqual(['safetySettings', 'googleSearch']);
});
