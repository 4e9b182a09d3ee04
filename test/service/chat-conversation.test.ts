/** Plays conversations against scripted responses: media, the tool loop and reasoning. */
import { describe, expect, it } from 'vitest';
import type { SendInput } from '../../shared/contract/conversations.ts';
import { defaultConversationOptions, type WrittenMessage } from '../../shared/conversation.ts';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { type ContentPart, getMediaId } from '../../shared/operations/chat/message.ts';
import type { RunEventKind } from '../../shared/run.ts';
import { pixel } from '../fixtures/pixel.ts';
import { serveScript, testKey, untilEnded } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  always,
  bodyOf,
  chunk,
  jsonReply,
  type Script,
  streamHead,
  streaming,
} from '../fixtures/wire-server.ts';

async function start(script: Script) {
  const server = await serveScript(script);
  const services = await startTestServices({ baseUrl: server.url, key: testKey });
  const { conversations } = services;
  const { id } = conversations.create();
  const begin = (input: Partial<SendInput>) =>
    conversations.send({
      conversationId: id,
      connectionId: 'environment',
      parentId: null,
      message: null,
      request: { model: 'm' },
      extraBody: {},
      ...input,
    });
  async function send(input: Partial<SendInput>) {
    const result = await begin(input);
    await untilEnded(services, result.runId);
    return result;
  }
  const messages = () => conversations.get(id).messages;
  return { server, services, id, begin, send, messages };
}

const messagesOf = (request: string | undefined): JsonObject[] => {
  const { messages } = bodyOf(request);
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
};
const partsOf = (content: string | ContentPart[] | undefined): ContentPart[] =>
  typeof content === 'object' ? content : [];
const answer = (message: object) =>
  jsonReply({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] });
const says = (content: string) => always(answer({ role: 'assistant', content }));
const frame = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const user = (content: string | ContentPart[]): WrittenMessage => ({ role: 'user', content });

const png = pixel.toString('base64');
const sound = wav({ seconds: 0.01 }).toString('base64');
const csv = Buffer.from('name,count\nada,3\n').toString('base64');
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
const parts = [
  { type: 'text', text: 'Here is the picture: ' },
  image,
  { type: 'input_audio', input_audio: { data: sound, format: 'wav' } },
  { type: 'file', file: { filename: 'counts.csv', file_data: `data:text/csv;base64,${csv}` } },
  { type: 'video_url', video_url: { url: 'https://x.example/film.mp4' } },
  { type: 'text', text: ' Enjoy.' },
];

describe('an answer with image, audio, file and video', () => {
  it.each<[string, boolean, Script]>([
    ['a document', false, always(answer({ role: 'assistant', name: 'Ada', content: parts }))],
    [
      'a stream',
      true,
      streaming(
        frame({ role: 'assistant', name: 'Ada', content: [] }),
        ...parts.map((part) => frame({ content: [part] })),
        `${frame({}, 'stop')}data: [DONE]\n\n`,
      ),
    ],
  ])('stores, shows and sends back the media of %s by reference', async (_name, stream, script) => {
    const { server, services, send, messages } = await start(script);
    const { runId, answerIds } = await send({
      message: user('A picture, please'),
      request: { model: 'm', stream },
    });
    const view = await services.engine.view(runId);
    expect(view).toMatchObject({ status: 'succeeded', figures: { noResult: null } });
    expect(view.state).toMatchObject({ warnings: [] });

    const kinds: RunEventKind[] = ['chunk', 'body'];
    const { events } = services.ledger.events(runId, { after: 0, limit: 2000, kinds });
    for (const base64 of [png, sound, csv]) expect(JSON.stringify(events)).not.toContain(base64);

    const answered = messages().find(({ id }) => id === answerIds[0]);
    expect(answered?.name).toBe('Ada');
    const content = partsOf(answered?.content);
    expect(content.map(({ type }) => type)).toEqual(parts.map(({ type }) => type));
    const stored = content.flatMap((part) => getMediaId(part) ?? []);
    expect(stored.map((id) => services.media.get(id))).toMatchObject([
      { kind: 'image', type: 'image/png', complete: true },
      { kind: 'audio', complete: true },
      { kind: 'file', complete: true },
    ]);
    expect(new Set(view.media.map(({ id }) => id))).toEqual(new Set(stored));
    expect(await services.media.readBytes(stored[0] ?? '')).toEqual(pixel);

    await send({ parentId: answerIds[0] ?? null, message: user('Again') });
    const [, sentBack] = messagesOf(server.requests[1]);
    expect(sentBack).toEqual({ role: 'assistant', name: 'Ada', content: parts });
  });

  it('shows an image while the stream continues', async () => {
    const { services, begin, messages } = await start(async ({ send, closed }) => {
      await send(streamHead);
      await send(chunk(frame({ role: 'assistant', content: [image] })));
      await closed;
    });
    const { runId } = await begin({ message: user('Draw'), request: { model: 'm', stream: true } });
    let isShown = false;
    for await (const _ of services.engine.watch(runId, null, undefined)) {
      const { media, status } = await services.engine.view(runId);
      isShown ||= media[0]?.complete === true && status === 'running';
      if (isShown) await services.engine.cancel(runId);
    }
    expect(isShown).toBe(true);
    expect(partsOf(messages()[1]?.content)[0]?.type).toBe('image_url');
  });

  it('keeps the images of different choices separate', async () => {
    const choice = (index: number) => ({ index, message: { role: 'assistant', content: [image] } });
    const { send, messages } = await start(always(jsonReply({ choices: [choice(0), choice(1)] })));
    await send({ message: user('Two'), request: { model: 'm', n: 2 } });
    const ids = messages().flatMap(({ content }) =>
      partsOf(content).flatMap((part) => getMediaId(part) ?? []),
    );
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  it('keeps text that only looks like a reference', async () => {
    const text = 'media:AAAAAAAAAAAAAAAAAAAAAA';
    const { send, messages } = await start(always(answer({ content: [{ type: 'text', text }] })));
    await send({ message: user('Hi') });
    expect(messages()[1]?.content).toBe(text);
  });
});

it('keeps the parts of a message for retries', async () => {
  const { server, services, send, messages } = await start(says('Seen.'));
  const writer = services.media.begin({ name: 'a.png', declaredType: 'image/png', role: 'upload' });
  await writer.write(pixel);
  const { id } = await writer.finish();
  const content: ContentPart[] = [{ type: 'image_url', image_url: { url: `media:${id}` } }];
  const { messageId } = await send({ message: user(content) });
  await send({ parentId: messageId });
  expect(bodyOf(server.requests[1])).toEqual(bodyOf(server.requests[0]));
  expect(messages()[0]?.content).toEqual(content);
});

describe('the tool loop', () => {
  it('answers parallel calls with one click, each with its ID', async () => {
    const calls = ['a', 'b'].map((name) => ({
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: '{"x":1}' },
    }));
    const called = answer({ role: 'assistant', content: null, tool_calls: calls });
    const done = answer({ role: 'assistant', content: 'Done.' });
    const { server, send, messages } = await start(({ send, request }) =>
      send(request.includes('"role":"tool"') ? done : called),
    );
    const sent = await send({ message: user('Go') });
    await send({
      parentId: sent.answerIds[0] ?? null,
      earlier: [{ role: 'tool', content: '1', toolCallId: 'call_a' }],
      message: { role: 'tool', content: '2', toolCallId: 'call_b' },
    });
    expect(messagesOf(server.requests[1])).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', content: '1', tool_call_id: 'call_a' },
      { role: 'tool', content: '2', tool_call_id: 'call_b' },
    ]);
    const roles = ['user', 'assistant', 'tool', 'tool', 'assistant'];
    expect(messages().map(({ role }) => role)).toEqual(roles);
    expect(messages().at(-1)?.content).toBe('Done.');
  });

  it('generates IDs for calls without one, so that results can refer to them', async () => {
    const call = { type: 'function', function: { name: 'a', arguments: '{}' } };
    const { send, messages } = await start(
      always(answer({ role: 'assistant', content: null, tool_calls: [call, call] })),
    );
    await send({ message: user('Go') });
    expect(messages()[1]?.toolCalls.map(({ id }) => id)).toEqual(['call_0', 'call_1']);
  });
});

it.each(['always', 'automatic', 'never'] as const)(
  'sends reasoning back: %s',
  async (providerFields) => {
    const text = '<think>\nBecause.\n</think>\n\nYes.';
    const { server, services, id, send, messages } = await start(says(text));
    const options = { ...defaultConversationOptions, providerFields };
    services.conversations.update(id, { options });
    expect(services.conversations.get(id).options).toEqual(options);
    const first = await send({ message: { ...user('Is it?'), name: 'ann' } });
    expect(messages()).toMatchObject([
      { role: 'user', reasoning: null, reasoningTagged: false },
      { content: 'Yes.', reasoning: 'Because.', reasoningTagged: true },
    ]);
    await send({ parentId: first.answerIds[0] ?? null, message: user('Why?') });
    expect(messagesOf(server.requests[1])).toEqual([
      { role: 'user', content: 'Is it?', name: 'ann' },
      { role: 'assistant', content: providerFields === 'always' ? text : 'Yes.' },
      { role: 'user', content: 'Why?' },
    ]);
  },
);

it('sends tool calls, reasoning and names as the user wrote them, and a file by its ID', async () => {
  const { server, services, id, send } = await start(says('Noon.'));
  const options = { ...defaultConversationOptions, providerFields: 'always' as const };
  services.conversations.update(id, { options });
  const file = { file_id: 'file-1', filename: 'clocks.pdf' };
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'f', arguments: '{' } };
  const asked = services.conversations.addMessage(id, null, user([{ type: 'file', file }]));
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
  expect(messagesOf(server.requests[0])).toEqual([
    { role: 'user', content: [{ type: 'file', file }] },
    {
      role: 'assistant',
      content: null,
      name: 'Ada',
      tool_calls: [call],
      reasoning_content: 'The clock will tell.',
    },
    { role: 'tool', content: '12:00', name: 'f', tool_call_id: 'call_1' },
  ]);
});
