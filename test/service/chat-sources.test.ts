/** Checks the sources of saved answers, and the preview of the next request. */
import { expect, it, onTestFinished } from 'vitest';
import { createMediaReference } from '../../shared/media.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { pixel } from '../fixtures/pixel.ts';
import { untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply, reply, startWireServer } from '../fixtures/wire-server.ts';

const [a, b] = ['https://one.example/a', 'https://two.example/b'] as const;
const frame = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const key = 'sk-test-0123456789';
const settings = { systemMessage: '', providerFields: 'automatic' as const };
const signed = { google: { thought_signature: 'c2ln' } };
const call = { id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{}' } };

it('keeps the sources of an answer, and previews the exact next request', async () => {
  const replies = [
    reply(
      '200 OK',
      { 'Content-Type': 'text/event-stream' },
      frame({ citations: [a, b], choices: [{ index: 0, delta: { content: 'It rained [1]' } }] }) +
        frame({
          citations: [a, b],
          search_results: [{ title: 'Two', url: b }],
          choices: [
            {
              index: 0,
              finish_reason: 'tool_calls',
              delta: {
                content: '[2].',
                reasoning_details: [{ type: 'reasoning.encrypted', data: 'AAAA' }],
                tool_calls: [{ index: 0, ...call, extra_content: signed }],
              },
            },
          ],
        }) +
        'data: [DONE]\n\n',
    ),
    jsonReply({ choices: [{ index: 0, message: { content: 'Noon.' }, finish_reason: 'stop' }] }),
  ];
  const server = await startWireServer(async ({ send, end }) => {
    await send(replies.shift() ?? '');
    end();
  });
  onTestFinished(() => server.close());
  const services = await startTestServices({ baseUrl: server.url, key });
  const { conversations } = services;
  const { id: conversationId } = conversations.create();
  const common = { conversationId, connectionId: 'environment', extraBody: {} };
  const request = { model: 'm', stream: true };
  const first = await conversations.send({
    ...common,
    request,
    parentId: null,
    message: { role: 'user', content: 'News?' },
  });
  await untilEnded(services, first.runId);
  const [answerId = ''] = first.answerIds;
  expect(conversations.get(conversationId).messages.at(-1)).toMatchObject({
    reasoning: null,
    reasoningEncrypted: true,
    sources: [
      { number: 1, url: a, title: null, marks: [] },
      { number: 2, url: b, title: 'Two', marks: [] },
    ],
  });

  const next = {
    connectionId: 'environment',
    request,
    extraBody: { user: 'u-1' },
    parentId: answerId,
    message: { role: 'tool' as const, content: '12:00', toolCallId: 'call_1' },
  };
  const preview = await conversations.nextRequest({ ...next, ...settings });
  expect(parseJson(preview.body ?? '')).toMatchObject({
    messages: [
      { role: 'user' },
      {
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'AAAA' }],
        tool_calls: [{ ...call, extra_content: signed }],
      },
      { role: 'tool', content: '12:00' },
    ],
  });
  const second = await conversations.send({ ...next, conversationId });
  await untilEnded(services, second.runId);
  const page = { after: 0, limit: 10, kinds: ['request' as const], exchange: 0 };
  expect(services.ledger.events(second.runId, page).events).toEqual([
    expect.objectContaining(preview),
  ]);
  expect(JSON.stringify(preview)).not.toContain(key);
  expect(server.requests[1]).toMatch(/\r\n\r\n\{"model":"m","messages":\[/);

  const never = await conversations.nextRequest({ ...next, ...settings, providerFields: 'never' });
  expect(never.body).not.toContain('reasoning_details');
  expect(server.requests).toHaveLength(2);
});

it('previews a file as a placeholder, and reports why a request can’t be sent', async () => {
  const services = await startTestServices({ baseUrl: 'http://127.0.0.1:1', key });
  const { conversations, media } = services;
  const upload = media.begin({ name: 'photo.png', declaredType: 'image/png', role: 'upload' });
  await upload.write(pixel);
  const url = createMediaReference((await upload.finish()).id);
  const next = {
    connectionId: 'environment',
    request: { model: 'm' },
    parentId: null,
    ...settings,
    message: {
      role: 'user' as const,
      content: [{ type: 'image_url' as const, image_url: { url } }],
    },
  };
  const { body, headers } = await conversations.nextRequest(next);
  expect(body).toContain(`data:image/png;base64,<base64 of photo.png, `);
  expect(headers.map(([name]) => name)).not.toContain('content-length');
  const wrong = { ...next, request: { model: 'm', temperature: 9 } };
  await expect(conversations.nextRequest(wrong)).rejects.toThrow(/temperature/);
  const empty = { ...next, message: null };
  await expect(conversations.nextRequest(empty)).rejects.toThrow('Nothing to send.');
});
