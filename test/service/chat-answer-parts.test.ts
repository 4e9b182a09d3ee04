/** Answers with parts that are not text, by bytes written by hand: into media, into the conversation, and back. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SendInput } from '../../shared/contract/conversations.ts';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { referencedMedia } from '../../shared/media.ts';
import { getMediaId } from '../../shared/operations/chat/message.ts';
import type { RunEventKind } from '../../shared/run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  chunk,
  lastChunk,
  reply,
  type Script,
  startWireServer,
  streamHead,
} from '../fixtures/wire-server.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = Buffer.concat([
  Buffer.from(
    'RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data',
  ),
  Buffer.from([8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
]).toString('base64');
const csv = Buffer.from('name,count\nada,3\n').toString('base64');

const parts = [
  { type: 'text', text: 'Here is the picture: ' },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  { type: 'input_audio', input_audio: { data: wav, format: 'wav' } },
  { type: 'file', file: { filename: 'counts.csv', file_data: `data:text/csv;base64,${csv}` } },
  { type: 'video_url', video_url: { url: 'https://x.example/film.mp4' } },
  { type: 'text', text: ' Enjoy.' },
];
const asDocument = reply(
  '200 OK',
  { 'Content-Type': 'application/json' },
  JSON.stringify({
    choices: [
      {
        index: 0,
        message: { role: 'assistant', name: 'Ada', content: parts },
        finish_reason: 'stop',
      },
    ],
  }),
);
const frame = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

async function start(script: Script) {
  const server = await startWireServer(script);
  onTestFinished(() => server.close());
  const services = await startTestServices({ baseUrl: server.url, key: 'sk-test-0123456789' });
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
    for await (const _ of services.engine.watch(result.runId, null, undefined)) {
      // Ends with the run.
    }
    return result;
  }
  return { server, services, conversation, send };
}

function messagesOf(request: string | undefined): JsonObject[] {
  const body: unknown = JSON.parse(request?.slice(request.indexOf('\r\n\r\n') + 4) ?? '');
  const messages = isJsonObject(body) ? body.messages : null;
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

describe('an answer with image, audio, file and video', () => {
  it.each<[string, boolean, Script]>([
    ['in a document', false, ({ send }) => void send(asDocument)],
    [
      'in a stream',
      true,
      async ({ send }) => {
        await send(streamHead);
        await send(chunk(frame({ role: 'assistant', name: 'Ada', content: [] })));
        for (const part of parts) await send(chunk(frame({ content: [part] })));
        await send(chunk(frame({}, 'stop')));
        await send(chunk('data: [DONE]\n\n'));
        await send(lastChunk);
      },
    ],
  ])(
    'is kept without base64, shown by reference and sent back: %s',
    async (_name, stream, script) => {
      const { server, services, conversation, send } = await start(script);
      const { runId, answerIds } = await send({
        message: { role: 'user', content: 'A picture, please' },
        request: { model: 'm', stream },
      });
      const view = await services.engine.view(runId);
      expect(view).toMatchObject({ status: 'succeeded', figures: { noResult: null } });
      expect(view.state).toMatchObject({ warnings: [] });

      const kinds: RunEventKind[] = ['chunk', 'body'];
      const { events } = services.ledger.events(runId, { after: 0, limit: 2000, kinds });
      const recorded = JSON.stringify(events);
      for (const base64 of [png, wav, csv]) expect(recorded).not.toContain(base64);

      const settled = services.conversations.get(conversation.id);
      const answer = settled.messages.find(({ id }) => id === answerIds[0]);
      expect(answer?.name).toBe('Ada');
      const content = answer?.content ?? '';
      if (typeof content === 'string') throw new TypeError('The answer has no parts.');
      expect(content.map(({ type }) => type)).toEqual(parts.map(({ type }) => type));
      const stored = content.flatMap((part) => getMediaId(part) ?? []);
      expect(stored.map((id) => services.media.get(id))).toMatchObject([
        { kind: 'image', type: 'image/png', complete: true },
        { kind: 'audio', complete: true },
        { kind: 'file', complete: true },
      ]);
      // Each is there as soon as it is stored.
      expect(new Set(view.media.map(({ id }) => id))).toEqual(new Set(stored));
      const [image = ''] = stored;
      expect((await services.media.readBytes(image)).toString('base64')).toBe(png);

      await send({ parentId: answerIds[0] ?? null, message: { role: 'user', content: 'Again' } });
      const [, sentBack] = messagesOf(server.requests[1]);
      expect(sentBack).toEqual({ role: 'assistant', name: 'Ada', content: parts });
    },
  );

  it('shows an image while the stream continues', async () => {
    const { services, conversation } = await start(async ({ send, closed }) => {
      await send(streamHead);
      await send(chunk(frame({ role: 'assistant', content: [parts[1]] })));
      await closed;
    });
    const [connection] = services.connections.list().filter(({ kind }) => kind === 'environment');
    const { runId } = await services.conversations.send({
      conversationId: conversation.id,
      connectionId: connection?.id ?? '',
      parentId: null,
      message: { role: 'user', content: 'A picture, please' },
      request: { model: 'm', stream: true },
      extraBody: {},
    });
    let isShown = false;
    for await (const _ of services.engine.watch(runId, null, undefined)) {
      const { media, status } = await services.engine.view(runId);
      isShown ||= media[0]?.complete === true && status === 'running';
      if (isShown) await services.engine.cancel(runId);
    }
    expect(isShown).toBe(true);
    const [, answer] = services.conversations.get(conversation.id).messages;
    const [part] = typeof answer?.content === 'string' ? [] : (answer?.content ?? []);
    expect(part?.type).toBe('image_url');
  });

  it('is in its own choice where a reply has several', async () => {
    const image = (at: number) => ({
      index: at,
      message: { role: 'assistant', content: [parts[1]] },
    });
    const { services, conversation, send } = await start(
      ({ send: write }) =>
        void write(
          reply(
            '200 OK',
            { 'Content-Type': 'application/json' },
            JSON.stringify({ choices: [image(0), image(1)] }),
          ),
        ),
    );
    await send({ message: { role: 'user', content: 'Two' }, request: { model: 'm', n: 2 } });
    const answers = services.conversations.get(conversation.id).messages.slice(1);
    const ids = answers.map(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => getMediaId(part) ?? []),
    );
    expect(ids.flat()).toHaveLength(2);
    expect(new Set(ids.flat()).size).toBe(2);
  });

  it('leaves text that only looks like a reference alone', async () => {
    const text = 'media:AAAAAAAAAAAAAAAAAAAAAA';
    const { services, conversation, send } = await start(
      ({ send: write }) =>
        void write(
          reply(
            '200 OK',
            { 'Content-Type': 'application/json' },
            JSON.stringify({ choices: [{ message: { content: [{ type: 'text', text }] } }] }),
          ),
        ),
    );
    await send({ message: { role: 'user', content: 'Hi' } });
    const answer = services.conversations.get(conversation.id).messages[1];
    expect(answer?.content).toBe(text);
    expect(referencedMedia(text)).not.toBeNull();
  });
});
