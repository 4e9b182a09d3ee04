import { expect, it } from 'vitest';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { toConversation } from '../../shared/pasted/to-conversation.ts';
import { type PastedInput, toRunInput } from '../../shared/pasted/to-run-input.ts';

function read(text: string, baseUrl: string | null = null): PastedInput {
  const result = readPasted(text);
  return toRunInput(result?.kind === 'request' ? result.pasted : expect.fail(), baseUrl);
}

it('fills a transcription from form fields, and asks for its file', () => {
  const { operation, request, extraBody, notes } = read(
    `curl https://a.example/v1/audio/transcriptions -F file=@/p/speech.mp3 -F model=whisper-1 -F temperature=0.2 -F 'timestamp_granularities[]=word' -F 'timestamp_granularities[]=segment' -F unusual=1`,
  );
  expect(operation).toBe('transcription');
  const timestamp_granularities = ['word', 'segment'];
  expect(request).toEqual({ model: 'whisper-1', temperature: 0.2, timestamp_granularities });
  expect(extraBody).toEqual({ unusual: '1' });
  expect(notes).toEqual(['Choose the file “speech.mp3”, because pasted text can’t contain it.']);
});

it('keeps unknown and invalid fields as extra body fields', () => {
  const { request, extraBody } = read(
    `curl https://a.example/v1/completions -d '{"model":"m","prompt":"Hi","temperature":"hot","best_of":3}'`,
  );
  expect(request).toEqual({ model: 'm', prompt: 'Hi' });
  expect(extraBody).toEqual({ temperature: 'hot', best_of: 3 });
});

it('takes the model out of the path of an image request', () => {
  const { operation, title, request } = read(
    `curl https://a.example/v1beta/models/gemini-image:generateContent -d '{"contents":[{"parts":[{"text":"A fox"}]}]}'`,
  );
  expect(operation).toBe('image');
  expect(title).toBe('an image request (generateContent format)');
  expect(request).toMatchObject({ model: 'gemini-image' });
});

it('names headers that only a connection can set', () => {
  const { notes } = read(
    `curl https://a.example/v1/messages -H 'anthropic-version: 2023-06-01' -H 'anthropic-beta: x' -H 'Accept: */*' --json '{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]}'`,
  );
  expect(notes).toEqual(['A connection sends headers, so anthropic-beta was left out.']);
});

it.each([
  ['https://openrouter.ai/api/v1/credits', 'https://openrouter.ai/api/v1', '/v1/credits'],
  ['https://openrouter.ai/api/v1/credits?a=1', null, '/v1/credits?a=1'],
  ['https://a.example/v1/models', 'https://a.example', '/v1/models'],
  ['https://a.example/api/v3/models', 'https://a.example/api/v3', '/models'],
  ['$BASE_URL/v1/models', null, '/v1/models'],
  ['https://a.example', null, '/'],
])('opens %s in the Console, with its path under %s', (url, baseUrl, path) => {
  const { operation, request } = read(`curl '${url}' -H 'X-Team: a' -H 'Accept: */*'`, baseUrl);
  expect(operation).toBe('console');
  const { headers, ...rest } = request;
  expect(rest).toEqual({ method: 'GET', path, body: null });
  expect(headers).toEqual([['X-Team', 'a']].concat([['Accept', '*/*']]));
});

it('writes the JSON body and the form of a Console request', () => {
  const json = read(`curl https://a.example/v1/jobs -d '{"a":1}'`);
  expect(json.request).toMatchObject({ method: 'POST', body: '{\n  "a": 1\n}' });
  const broken = read(`curl https://a.example/v1/chat/completions -d '{"model":'`);
  expect(broken).toMatchObject({
    operation: 'console',
    notes: ['Its body isn’t valid JSON.'],
    request: { body: '{"model":' },
  });
  const form = read('curl https://a.example/v1/files -F purpose=batch -F file=@a.jsonl');
  expect(form.request).toMatchObject({
    body: null,
    multipart: { fields: [['purpose', 'batch']], file: null },
  });
  expect(form.notes).toEqual(['Choose the file “a.jsonl”, because pasted text can’t contain it.']);
});

it('splits a chat into its system message, branch and draft', () => {
  const tool = { type: 'function' as const, function: { name: 'f', parameters: {} } };
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const body = {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: '1' },
      { role: 'assistant', content: 'Done', unusual: 1 },
      { role: 'user', content: 'Two', name: 'ada' },
    ],
    tools: [tool],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_object' },
    temperature: 0.5,
    unusual_field: 1,
  };
  expect(toConversation(read(JSON.stringify(body)))).toMatchObject({
    systemMessage: 'Be brief.',
    tools: [tool],
    options: {
      toolChoice: { name: 'f' },
      responseFormat: { type: 'json_object' },
      providerFields: 'always',
    },
    messages: [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: '', reasoning: 'Hm.', toolCalls: [{ id: 'c' }] },
      { role: 'tool', content: '1', toolCallId: 'c' },
      { role: 'assistant', content: 'Done' },
    ],
    draft: { role: 'user', content: 'Two', name: 'ada' },
    settings: { request: { model: 'm', temperature: 0.5 }, extraBody: { unusual_field: 1 } },
    lost: ['unusual'],
  });
});

it('reads Messages with a system list, images and thinking', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
  const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
  const body = {
    model: 'claude-opus-4-6',
    max_tokens: 500,
    top_k: 5,
    system: [text('Be brief.')],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [thinking, text('Hello')] },
      { role: 'user', content: [text('Look'), { type: 'image', source }] },
    ],
  };
  const conversation = toConversation(read(JSON.stringify(body)));
  const { systemMessage, messages, draft, settings, lost } = conversation;
  expect(systemMessage).toBe('Be brief.');
  expect(messages[0]).toMatchObject({ role: 'user', content: 'Hi' });
  expect(JSON.stringify(messages[1])).toContain('Hello');
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  expect(draft?.content).toEqual([text('Look'), image]);
  const request = { format: 'messages', max_tokens: 500 };
  expect(settings).toMatchObject({ request, extraBody: { top_k: 5 } });
  expect(settings.extraBody).not.toHaveProperty('messages');
  expect(lost.length).toBeGreaterThan(0);
});

it('turns built-in tools on, and keeps a choice without tools as an extra body field', () => {
  const pasted = (more: string) => toConversation(read(`{"model":"m","input":"Hi",${more}}`));
  const searching = pasted(`"tools":[{"type":"web_search"}],"tool_choice":"auto"`);
  expect(searching).toMatchObject({
    tools: [],
    options: {
      builtInTools: [{ format: 'responses', name: 'webSearch', values: {} }],
      toolChoice: 'auto',
    },
    settings: { extraBody: {} },
  });
  const unknown = pasted(`"tools":[{"type":"new_tool"}],"tool_choice":"auto"`);
  expect(unknown).toMatchObject({
    tools: [],
    options: { builtInTools: [], toolChoice: null },
    settings: { extraBody: { tools: [{ type: 'new_tool' }], tool_choice: 'auto' } },
  });
});
