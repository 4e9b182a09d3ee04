import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { demoModels } from '../../electron/demo/models.ts';
import type { DemoEvent } from '../../electron/demo/server.ts';
import { fitsOperation } from '../../electron/models/endpoint-types.ts';
import { operationNameSchema } from '../../shared/operations/operation-name.ts';
import { createHeldPace } from '../fixtures/held-pace.ts';
import { type Client, KEY, startWithClient, user } from './demo-gateway-client.ts';

const opened: Client[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ gateway }) => gateway.close()));
});

async function start(options: Parameters<typeof startWithClient>[0] = {}): Promise<Client> {
  const client = await startWithClient(options);
  opened.push(client);
  return client;
}

const CHAT = '/v1/chat/completions';
const hello = [user('Hello')];
const operationNames = operationNameSchema.options;
const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), supported_endpoint_types: z.array(z.string()) })),
});

describe('demo server', () => {
  it.each([
    ['no key', {}],
    ['another key', { authorization: 'Bearer wrong-key' }],
    ['another scheme', { authorization: `Basic ${KEY}` }],
  ])('answers 401 with an error object to %s, without echoing it', async (_name, headers) => {
    const { gateway } = await start();
    const response = await fetch(`${gateway.baseUrl}/v1/models`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const text = await response.text();
    expect(JSON.parse(text).error).toEqual({
      message: expect.any(String),
      type: expect.any(String),
      param: null,
      code: expect.any(String),
    });
    expect(text).not.toContain('wrong-key');
    expect(text).not.toContain(KEY);
  });

  it('sends no CORS headers', async () => {
    const { gateway } = await start();
    const response = await fetch(`${gateway.baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${KEY}`, origin: 'https://example.com' },
    });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([]);
  });

  it.each([
    ['temperature', { temperature: 2.1 }],
    ['temperature', { temperature: 'hot' }],
    ['top_p', { top_p: -0.1 }],
    ['n', { n: 0 }],
    ['n', { n: 1000 }],
    ['presence_penalty', { presence_penalty: 3 }],
    ['logit_bias.50256', { logit_bias: { 50256: 'x' } }],
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    [
      'messages[0].content[0].image_url.url',
      {
        messages: [user([{ type: 'image_url', image_url: {} }])],
      },
    ],
    ['stream', { stream: 'yes' }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['reasoning_effort', { reasoning_effort: 1 }],
  ])('answers 400 and names %s', async (param, fields) => {
    const { chat } = await start();
    const { status, body } = await chat({ model: 'demo-echo', messages: hello, ...fields });
    expect(status).toBe(400);
    expect(body.error.param).toBe(param);
    expect(body.error.type).toBe('invalid_request_error');
  });

  it.each([
    ['text that is not JSON', '{"model":'],
    ['an array', '[]'],
    ['nothing', ''],
    ['nesting without end', `{"messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('answers 400 to %s', async (_name, body) => {
    const { post } = await start();
    const response = await post(CHAT, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty('error.message');
  });

  it('answers 404 to an unknown path, 405 with Allow to a wrong method, 501 to fine-tunes', async () => {
    const { get, post } = await start();
    const unknown = await get('/v1/unknown');
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { code: 'not_found' } },
    ]);
    const wrong = await get(CHAT);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const tunes = await post('/v1/fine-tunes', {});
    expect(tunes.status).toBe(501);
    expect(await tunes.json()).toMatchObject({
      error: { message: 'API not implemented', code: 'api_not_implemented' },
    });
  });

  it('answers 413 to a body over 64 MB without waiting for it', async () => {
    const { gateway } = await start();
    const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 67108865\r\n\r\n{`,
    );
    const [head] = await new Promise<[Buffer]>((resolve) => {
      socket.once('data', (bytes: Buffer) => resolve([bytes]));
    });
    socket.destroy();
    expect(head.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(head.toString()).toContain('"error"');
  });

  it('lists models so that each panel offers only those it supports', async () => {
    const { get } = await start();
    const { data } = listSchema.parse(await (await get('/v1/models')).json());
    for (const operation of operationNames) {
      const offered = data.filter(({ id, supported_endpoint_types: endpointTypes }) =>
        fitsOperation({ id, endpointTypes }, operation),
      );
      const known = demoModels[operation].map(({ id }) => id);
      expect(offered.map(({ id }) => id)).toEqual(known);
    }
    expect(operationNames.map((operation) => demoModels[operation][0]?.id)).toEqual([
      'demo-story',
      'demo-story',
      'demo-image',
      'demo-video',
      'demo-rerank',
      'demo-embed',
      'demo-speech',
      'demo-transcribe',
      undefined,
    ]);
  });

  it('rate-limits the first call to demo-limit, then every other one', async () => {
    const { chat } = await start();
    const ask = () => chat({ model: 'demo-limit', messages: hello });
    const replies = [await ask(), await ask(), await ask(), await ask()];
    expect(replies.map(({ status }) => status)).toEqual([429, 200, 429, 200]);
    expect(replies[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(replies[0]?.body.error.code).toBe('rate_limit_exceeded');
  });

  it('truncates the stream of demo-flaky mid-frame', async () => {
    const events: DemoEvent[] = [];
    const { post } = await start({ onEvent: (event) => events.push(event) });
    const response = await post(CHAT, { model: 'demo-flaky', messages: hello, stream: true });
    const decoder = new TextDecoder();
    let text = '';
    await expect(async () => {
      for await (const bytes of response.body ?? [])
        text += decoder.decode(bytes, { stream: true });
    }).rejects.toThrow();
    expect(text).toContain('"content":" Saltmere"');
    expect(text).not.toContain('[DONE]');
    expect(text.endsWith('\n\n')).toBe(false);
    await expect.poll(() => events.at(-1)?.kind).toBe('cut');
  });

  it.each([
    // At 50 tokens per second, 50 tokens take 1 s, after a delay of 250, 100 or 1,500 ms.
    ['demo-story', 1250],
    ['demo-story-brief', 350],
    ['demo-story-slow', 3500],
  ])('streams %s at the speed the model claims', async (model, ms) => {
    const pace = createHeldPace();
    const { frames } = await start({ pace });
    const { chunks } = await frames(CHAT, { model, messages: hello, max_tokens: 50 });
    expect(chunks.length).toBeGreaterThan(25);
    expect(pace.now()).toBeGreaterThan(ms * 0.8);
    expect(pace.now()).toBeLessThan(ms * 1.2);
  });

  it.each([true, false])('stops at once if the client disconnects (stream: %s)', async (stream) => {
    const events: DemoEvent[] = [];
    const { post } = await start({ speed: 1, onEvent: (event) => events.push(event) });
    const client = new AbortController();
    const request = post(CHAT, { model: 'demo-story', messages: hello, stream }, client.signal);
    if (stream) {
      const reader = (await request).body?.getReader();
      await reader?.read();
      await reader?.read();
      client.abort();
      await reader?.cancel().catch(() => {});
    } else {
      await expect.poll(() => events.length).toBe(1);
      client.abort();
      await request.catch(() => {});
    }
    await expect.poll(() => events.at(-1)?.kind).toBe('closed-by-client');
    expect(events.map(({ kind, path }) => [kind, path])).toEqual([
      ['open', CHAT],
      ['closed-by-client', CHAT],
    ]);
  });

  it('closes while a stream is in progress', async () => {
    const client = await startWithClient({ speed: 1 });
    const response = await client.post(CHAT, {
      model: 'demo-story',
      messages: hello,
      stream: true,
    });
    await client.gateway.close();
    await expect(response.text()).rejects.toThrow();
  });
});
