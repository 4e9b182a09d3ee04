/** Continues an answer that hit its token limit, on a server with two answers. */
import { expect, it } from 'vitest';
import { serveScript, testKey, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, jsonReply } from '../fixtures/wire-server.ts';

const answer = (content: string, finish_reason: string) =>
  jsonReply({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }] });

/** Starts a conversation with a truncated answer. The server continues it with `rest`. */
async function start(rest: Uint8Array) {
  const replies = [answer('One, two', 'length'), rest];
  const server = await serveScript(({ send }) => send(replies.shift() ?? rest));
  const services = await startTestServices({ baseUrl: server.url, key: testKey });
  const { conversations } = services;
  const { id: conversationId } = conversations.create();
  const ready = { connectionId: 'environment', request: { model: 'm', n: 2 }, extraBody: {} };
  const send = async (input: object) => {
    const result = await conversations.send({
      ...ready,
      conversationId,
      parentId: null,
      message: null,
      ...input,
    });
    await untilEnded(services, result.runId);
    return result;
  };
  const first = await send({
    request: { model: 'm' },
    message: { role: 'user', content: 'Count to three.' },
  });
  const messages = () => conversations.get(conversationId).messages;
  return { services, server, send, first, messages, conversations, conversationId };
}

it('joins the continuation into a version that links both runs', async () => {
  const { services, server, send, first, messages, ...chat } = await start(
    answer(', three.', 'stop'),
  );
  const [answerId = ''] = first.answerIds;
  const second = await send({ parentId: first.messageId, continuesId: answerId });
  const body = bodyOf(server.requests[1]);
  expect(body).not.toHaveProperty('n');
  expect(body.messages).toEqual([
    { role: 'user', content: 'Count to three.' },
    { role: 'assistant', content: 'One, two' },
  ]);
  expect(messages()).toMatchObject([
    {},
    { id: answerId, content: 'One, two', continued: null },
    {
      id: second.answerIds[0],
      parentId: first.messageId,
      content: 'One, two, three.',
      continued: { runIds: [first.runId], content: 'One, two' },
      run: { id: second.runId, sourceRunId: first.runId },
    },
  ]);
  expect(services.engine.chain(first.runId).next).toMatchObject([{ id: second.runId }]);
  await send({ parentId: second.answerIds[0], message: { role: 'user', content: 'More' } });
  expect(bodyOf(server.requests[2]).messages).toMatchObject([
    {},
    { role: 'assistant', content: 'One, two, three.' },
    {},
  ]);
  const copy = chat.conversations.duplicate({ id: chat.conversationId, messageId: null });
  expect(chat.conversations.get(copy.id).messages[2]?.continued?.runIds).toEqual([first.runId]);
});

it('keeps the start if the continuation fails', async () => {
  const failure = jsonReply({ error: { message: 'No' } }, '400 Bad Request');
  const { send, first, messages } = await start(failure);
  await send({ parentId: first.messageId, continuesId: first.answerIds[0] });
  expect(messages().at(-1)).toMatchObject({ content: 'One, two', run: { status: 'failed' } });
});

it('rejects continuing a message that isn’t an answer', async () => {
  const { send, first } = await start(answer('x', 'stop'));
  await expect(send({ continuesId: first.messageId })).rejects.toThrow('can be continued');
});
