import { describe, expect, it } from 'vitest';
import { shareClient, user } from './demo-gateway-client.ts';

const client = await shareClient();

const CHAT = '/v1/chat/completions';
const hello = [user('Hello')];

describe('demo chat', () => {
  it('echoes roles, parts, parameters and media summaries, but never headers', async () => {
    const { body } = await client.chat({
      model: 'demo-echo',
      temperature: 0.2,
      mystery: 'kept',
      messages: [
        { role: 'system', content: 'Be brief.' },
        user([
          { type: 'text', text: 'What is this?' },
          {
            type: 'image_url',
            image_url: { url: 'data:image/png;base64,AAAABBBB', detail: 'low' },
          },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
          },
          { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
        ]),
      ],
    });
    const text: string = body.choices[0].message.content;
    expect(text).toContain('### 1. system\n\nBe brief.');
    expect(text).toContain('- text: What is this?');
    expect(text).toContain(
      '- image_url: declared as image/png, but not recognized, 6 bytes, detail low',
    );
    expect(text).toContain(
      '- input_audio: wav, declared as audio/wav, but not recognized, 3 bytes',
    );
    expect(text).toContain(
      '- file: a.pdf, declared as application/pdf, but not recognized, 3 bytes',
    );
    expect(text).toContain('- video_url: https://example.com/a.mp4');
    expect(text).toContain('"temperature": 0.2');
    expect(text).toContain('"mystery": "kept"');
    expect(text.toLowerCase()).not.toMatch(/bearer|authorization|test-key|user-agent/);
  });

  it('answers with one document in the conventional format', async () => {
    const { status, headers, body } = await client.chat({
      model: 'demo-limit-not',
      messages: hello,
    });
    expect(status).toBe(404);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(body.error).toMatchObject({ param: 'model', code: 'model_not_found' });
    const reply = await client.chat({ model: 'demo-story', messages: hello });
    expect(reply.body).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'demo-story',
      system_fingerprint: expect.any(String),
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'stop' }],
    });
    const { usage } = reply.body;
    expect(usage.completion_tokens).toBeLessThan(800);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    expect(usage.completion_tokens_details.reasoning_tokens).toBe(0);
  });

  it('streams role, then text, then finish reason, then usage, then [DONE]', async () => {
    const { chunks, done } = await client.frames(CHAT, {
      model: 'demo-story',
      messages: hello,
      stream_options: { include_usage: true },
    });
    const whole = await client.chat({ model: 'demo-story', messages: hello });
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks[0].object).toBe('chat.completion.chunk');
    expect(chunks[0].usage).toBeNull();
    const text = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content ?? []).join('');
    expect(text).toBe(whole.body.choices[0].message.content);
    expect(chunks.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.body.usage });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(done).toBe(true);
  });

  it('streams 100 kB from demo-story-fast', async () => {
    const { chunks } = await client.frames(CHAT, { model: 'demo-story-fast', messages: hello });
    const text = chunks.flatMap((chunk) => chunk.choices[0].delta.content ?? []).join('');
    expect(Buffer.byteLength(text)).toBeGreaterThanOrEqual(100_000);
    expect(Buffer.byteLength(text)).toBeLessThan(105_000);
  });

  it('reasons before it answers, and longer with more effort', async () => {
    const { chunks, comments } = await client.frames(CHAT, {
      model: 'demo-think',
      messages: hello,
      stream_options: { include_usage: true },
    });
    expect(comments.length).toBeGreaterThan(0);
    const kinds = chunks.flatMap((chunk) =>
      Object.keys(chunk.choices[0]?.delta ?? {}).filter((key) => key !== 'role'),
    );
    expect(kinds.lastIndexOf('reasoning_content')).toBeLessThan(kinds.indexOf('content', 1));
    const reasoningOf = (effort: string) =>
      client
        .chat({ model: 'demo-think', messages: hello, reasoning_effort: effort })
        .then(({ body }) => body.usage.completion_tokens_details.reasoning_tokens);
    const [low, high] = [await reasoningOf('low'), await reasoningOf('high')];
    expect(low).toBeGreaterThan(0);
    expect(high).toBeGreaterThan(low);
    expect(chunks.at(-1).usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(low);
  });

  it.each([
    ['a string', 'gate, and', 'The river at Saltmere has one '],
    ['the first of several', ['keeper', 'gate, and'], 'The river at Saltmere has one '],
  ])('stops before %s regardless of token boundaries', async (_name, stop, ending) => {
    const { chunks } = await client.frames(CHAT, { model: 'demo-story', messages: hello, stop });
    const text = chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join('');
    expect(text.endsWith(ending)).toBe(true);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('stop');
  });

  it.each(['max_tokens', 'max_completion_tokens'])(
    'stops at %s with the finish reason length',
    async (field) => {
      const { body } = await client.chat({ model: 'demo-think', messages: hello, [field]: 7 });
      expect(body.choices[0].finish_reason).toBe('length');
      expect(body.usage.completion_tokens).toBe(7);
      expect(body.usage.completion_tokens_details.reasoning_tokens).toBe(7);
      expect(body.choices[0].message.content).toBe('');
    },
  );

  it('streams n choices interleaved, and counts all their tokens', async () => {
    const { chunks } = await client.frames(CHAT, {
      model: 'demo-story',
      messages: hello,
      n: 3,
      max_tokens: 20,
      stream_options: { include_usage: true },
    });
    const order = chunks.flatMap((chunk) => chunk.choices.map((c: { index: number }) => c.index));
    expect(order.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 2]);
    expect(chunks.at(-1).usage.completion_tokens).toBe(60);
  });

  it('repeats an answer with the same seed, and varies it with another', async () => {
    const story = (seed: number) =>
      client
        .chat({ model: 'demo-story', messages: hello, seed, temperature: 1 })
        .then(({ body }) => body.choices[0].message.content);
    const tales = await Promise.all([1, 1, 2, 3, 4, 5].map(story));
    expect(tales[1]).toBe(tales[0]);
    expect(new Set(tales).size).toBeGreaterThan(1);
  });

  it('answers json_object with an object, and json_schema with a matching one', async () => {
    const json = async (response_format: unknown, model = 'demo-story') => {
      const { body } = await client.chat({ model, messages: hello, response_format });
      return JSON.parse(body.choices[0].message.content);
    };
    expect(await json({ type: 'json_object' })).toMatchObject({ simulated: true });
    expect(await json({ type: 'json_object' }, 'demo-echo')).toMatchObject({
      received: [{ role: 'user', content: 'Hello' }],
    });
    const schema = {
      type: 'object',
      required: ['level', 'tags'],
      properties: {
        level: { type: 'integer', minimum: 3, maximum: 4 },
        tags: { type: 'array', minItems: 2, items: { enum: ['dry', 'wet'] } },
      },
    };
    const fitting = { level: 3, tags: ['dry', 'dry'] };
    expect(await json({ type: 'json_schema', json_schema: { name: 'x', schema } })).toEqual(
      fitting,
    );
    expect(await json({ type: 'json_schema', json_schema: schema })).toEqual(fitting);
  });

  it('accepts nulls, and its own messages sent back', async () => {
    const { status } = await client.chat({
      model: 'demo-echo',
      stop: null,
      temperature: null,
      messages: [
        user('Hi'),
        { role: 'assistant', content: 'Hello', tool_calls: null, refusal: null, name: null },
        user('Again'),
      ],
    });
    expect(status).toBe(200);
  });

  it('counts the conversation history as cached tokens', async () => {
    const history = [
      user('word '.repeat(300)),
      { role: 'assistant', content: 'yes' },
      user('More'),
    ];
    const { body } = await client.chat({ model: 'demo-tools', messages: history });
    const { cached_tokens: cached } = body.usage.prompt_tokens_details;
    expect(cached).toBeGreaterThanOrEqual(256);
    expect(cached).toBeLessThanOrEqual(body.usage.prompt_tokens);
  });
});
