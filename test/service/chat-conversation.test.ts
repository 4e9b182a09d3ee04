/** Conversations against wire bytes written by hand: attachments, the tool loop, spoken answers. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Services } from '../../electron/services.ts';
import type { SendInput } from '../../shared/contract/conversations.ts';
import { defaultConversationOptions, type WrittenMessage } from '../../shared/conversation.ts';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { ContentPart } from '../../shared/operations/chat/message.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { reply, type Script, startWireServer } from '../fixtures/wire-server.ts';

const KEY = 'sk-test-0123456789';

async function start(script: Script) {
  const server = await startWireServer(script);
  onTestFinished(() => server.close());
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const [connection] = services.connections.list().filter(({ kind }) => kind === 'environment');
  const conversation = services.conversations.create();

  async function send(input: Partial<SendInput>) {
    const result = await services.conversations.send({
      conversationId: conversation.id,
      connectionId: connection?.id ?? '',
      parentId: null,
      message: null,
      request: { model: 'm' },
      extraBody: {},
      ...input,
    });
    await untilEnded(services, result.runId);
    return result;
  }
  return { server, services, conversation, send };
}

async function untilEnded({ engine }: Services, runId: string): Promise<void> {
  for await (const _ of engine.watch(runId, null, undefined)) {
    // Ends with the run.
  }
}

function bodyOf(request: string | undefined): JsonObject {
  const text = request?.slice(request.indexOf('\r\n\r\n') + 4) ?? '';
  const body: unknown = JSON.parse(text);
  return isJsonObject(body) ? body : {};
}

const json = { 'Content-Type': 'application/json' };
const answer = (message: object) =>
  reply(
    '200 OK',
    json,
    JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  );
const says =
  (content: string): Script =>
  ({ send, end }) =>
    send(answer({ role: 'assistant', content })).then(end);

async function store(services: Services, bytes: Buffer, name: string, declaredType: string) {
  const writer = services.media.begin({ name, declaredType, role: 'upload' });
  await writer.write(bytes);
  return writer.finish();
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('content parts on the wire', () => {
  it('keeps the parts with the message, for retries and edits', async () => {
    const { server, services, send, conversation } = await start(says('Seen.'));
    const { id } = await store(services, PNG, 'a.png', 'image/png');
    const content: ContentPart[] = [{ type: 'image_url', image_url: { url: `media:${id}` } }];
    const { messageId } = await send({ message: { role: 'user', content } });
    await send({ parentId: messageId });
    expect(bodyOf(server.requests[1])).toEqual(bodyOf(server.requests[0]));
    expect(services.conversations.get(conversation.id).messages[0]?.content).toEqual(content);
  });
});

describe('the tool loop', () => {
  it('answers parallel calls in one press, each with its id', async () => {
    const calls = ['a', 'b'].map((name) => ({
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: '{"x":1}' },
    }));
    const { server, services, send, conversation } = await start(async ({ send, end, request }) => {
      const isFirst = !request.includes('"role":"tool"');
      await send(
        isFirst
          ? answer({ role: 'assistant', content: null, tool_calls: calls })
          : answer({ role: 'assistant', content: 'Done.' }),
      );
      end();
    });
    const sent = await send({ message: { role: 'user', content: 'Go' } });
    const results: WrittenMessage[] = [
      { role: 'tool', content: '1', toolCallId: 'call_a' },
      { role: 'tool', content: '2', toolCallId: 'call_b' },
    ];
    await send({
      parentId: sent.answerIds[0] ?? null,
      earlier: results.slice(0, 1),
      message: results[1] ?? null,
    });
    expect(bodyOf(server.requests[1]).messages).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', content: '1', tool_call_id: 'call_a' },
      { role: 'tool', content: '2', tool_call_id: 'call_b' },
    ]);
    const { messages } = services.conversations.get(conversation.id);
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(messages.at(-1)?.content).toBe('Done.');
  });

  it('gives calls without an ID a new one, so that results can name them', async () => {
    const call = { type: 'function', function: { name: 'a', arguments: '{}' } };
    const { services, send, conversation } = await start(({ send, end }) =>
      send(answer({ role: 'assistant', content: null, tool_calls: [call, call] })).then(end),
    );
    await send({ message: { role: 'user', content: 'Go' } });
    const calls = services.conversations.get(conversation.id).messages[1]?.toolCalls;
    expect(calls?.map(({ id }) => id)).toEqual(['call_0', 'call_1']);
  });
});

describe('reasoning in <think> tags', () => {
  it('is kept with the answer as reasoning, marked', async () => {
    const { services, send, conversation } = await start(({ send, end }) =>
      send(answer({ role: 'assistant', content: '<think>Two.</think>Four.' })).then(end),
    );
    await send({ message: { role: 'user', content: 'What is it?' } });
    expect(services.conversations.get(conversation.id).messages).toMatchObject([
      { role: 'user', reasoning: null, reasoningTagged: false },
      { content: 'Four.', reasoning: 'Two.', reasoningTagged: true },
    ]);
  });
});

it('sends what was written by hand: tool calls, reasoning, names, a file by ID with its name', async () => {
  const { server, services, send, conversation } = await start(async ({ send, end }) => {
    await send(answer({ role: 'assistant', content: 'Noon.' }));
    end();
  });
  const { id } = conversation;
  const options = { ...defaultConversationOptions, sendReasoning: true };
  services.conversations.update(id, { options });
  const file = { file_id: 'file-1', filename: 'clocks.pdf' };
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'f', arguments: '{' } };
  const asked = services.conversations.addMessage(id, null, {
    role: 'user',
    content: [{ type: 'file', file }],
  });
  const called = services.conversations.addMessage(id, asked.activeLeafId, {
    role: 'assistant',
    content: '',
    name: 'Ada',
    reasoning: 'The clock will tell.',
    toolCalls: [call],
  });
  await send({
    parentId: called.activeLeafId,
    message: { role: 'tool', content: '12:00', name: 'f', toolCallId: 'call_1' },
  });
  expect(bodyOf(server.requests[0]).messages).toEqual([
    { role: 'user', content: [{ type: 'file', file }] },
    {
      role: 'assistant',
      content: '',
      name: 'Ada',
      tool_calls: [call],
      reasoning_content: 'The clock will tell.',
    },
    { role: 'tool', content: '12:00', name: 'f', tool_call_id: 'call_1' },
  ]);
});
