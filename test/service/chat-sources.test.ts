/** Saved answers keep their sources, and the next request can be seen before it is sent. */
import { expect, it, onTestFinished } from 'vitest';
import { untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, jsonReply, reply, startWireServer } from '../fixtures/wire-server.ts';

const [a, b] = ['https://one.example/a', 'https://two.example/b'] as const;
const frame = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const signed = { google: { thought_signature: 'c2ln' } };
const call = { id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{}' } };

it('keeps the sources of an answer and shows the next request as it is sent', async () => {
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
              ...{ index: 0, finish_reason: 'tool_calls' },
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
  const services = await startTestServices({ baseUrl: server.url, key: 'sk-test-0123456789' });
  const { conversations } = services;
  const { id: conversationId } = conversations.create();
  const common = { conversationId, connectionId: 'environment', extraBody: {} };
  const request = { model: 'm', stream: true };
  const first = await conversations.send({
    ...{ ...common, request, parentId: null },
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

  const next = conversations.nextMessages(conversationId, answerId);
  expect(next.at(-1)).toMatchObject({
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'AAAA' }],
    tool_calls: [{ ...call, extra_content: signed }],
  });
  const second = await conversations.send({
    ...{ ...common, request, parentId: answerId },
    message: { role: 'tool', content: '12:00', toolCallId: 'call_1' },
  });
  await untilEnded(services, second.runId);
  const { messages } = bodyOf(server.requests[1]);
  expect(Array.isArray(messages) && messages.slice(0, -1)).toEqual(next);
});
