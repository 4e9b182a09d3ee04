/** Converts images of any shape in an answer to media items, and sends them back as images. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { getMediaId } from '../../shared/operations/chat/message.ts';
import { pixel } from '../fixtures/pixel.ts';
import { untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, jsonReply, reply, startWireServer } from '../fixtures/wire-server.ts';

const url = `data:image/png;base64,${pixel.toString('base64')}`;
const image = (address: string) => ({ type: 'image_url', image_url: { url: address } });
const sentImage = image(url);
const text = (words: string) => ({ type: 'text', text: words });

/** Builds a stream with one delta per event. */
function stream(deltas: readonly JsonObject[], finish: string | null = 'stop'): Uint8Array {
  const events = [
    ...deltas.map((delta) => ({ index: 0, delta })),
    ...(finish === null ? [] : [{ index: 0, delta: {}, finish_reason: finish }]),
  ].map((choice) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`);
  const type = { 'Content-Type': 'text/event-stream' };
  return reply('200 OK', type, `${events.join('')}data: [DONE]\n\n`);
}

const inPieces = (content: string, length = 7) =>
  stream(
    (content.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []).map((piece) => ({ content: piece })),
  );

const whole = (message: JsonObject) =>
  jsonReply({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] });

/** Sends two turns, and returns the first answer and the second request. */
async function play(answer: Uint8Array, providerFields: 'automatic' | 'always' = 'automatic') {
  const waiting = [answer, whole({ role: 'assistant', content: 'Nice.' })];
  const server = await startWireServer(async ({ send }) => {
    const next = waiting.shift();
    if (next) await send(next);
  });
  onTestFinished(() => server.close());
  const services = await startTestServices({ baseUrl: server.url, key: 'sk-test-0123456789' });
  const { id: conversationId, options } = services.conversations.create();
  services.conversations.update(conversationId, { options: { ...options, providerFields } });
  let parentId: string | null = null;
  const runs = [];
  for (const content of ['Draw', 'Again']) {
    const sent = await services.conversations.send({
      conversationId,
      connectionId: 'environment',
      parentId,
      extraBody: {},
      message: { role: 'user', content },
      request: { model: 'm', stream: true },
    });
    runs.push(await untilEnded(services, sent.runId));
    parentId = sent.answerIds[0] ?? null;
  }
  const [, stored = expect.fail()] = services.conversations.get(conversationId).messages;
  const { messages } = bodyOf(server.requests[1]);
  const sent = Array.isArray(messages) ? messages[1] : null;
  return {
    services,
    run: runs[0] ?? expect.fail(),
    stored,
    sent: isJsonObject(sent) ? (sent.content ?? null) : null,
    request: server.requests[1] ?? '',
  };
}

const markdown = `Here:\n\n![A gate](${url})\n\nDone.`;
const parts: JsonValue = [text('Here:\n\n'), sentImage, text('\n\nDone.')];

describe('an image of a chat answer', () => {
  it.each<[string, Uint8Array, JsonValue]>([
    ['in Markdown, streamed', inPieces(markdown), parts],
    ['in Markdown, streamed in one delta', stream([{ content: markdown }]), parts],
    ['in Markdown, not streamed', whole({ role: 'assistant', content: markdown }), parts],
    ['in Markdown of a text part', whole({ role: 'assistant', content: [text(markdown)] }), parts],
    [
      'in truncated Markdown',
      stream([{ content: markdown.slice(0, markdown.indexOf(')')) }], 'length'),
      [text('Here:\n\n'), sentImage],
    ],
    [
      'in images, a preview before the final one',
      stream([
        { content: 'Here:' },
        { images: [{ ...image('data:image/gif;base64,R0lGODlhAQABAAAAACw='), index: 0 }] },
        { images: [{ ...sentImage, index: 0 }] },
      ]),
      [text('Here:'), sentImage],
    ],
    [
      'as a content part',
      whole({ role: 'assistant', content: [text('Here:'), sentImage] }),
      [text('Here:'), sentImage],
    ],
  ])('sends back an image %s as an image', async (_, answer, expected) => {
    const { services, run, stored, sent } = await play(answer);
    expect(sent).toEqual(expected);
    const content = typeof stored.content === 'string' ? [] : stored.content;
    const [id = expect.fail()] = content.flatMap((part) => getMediaId(part) ?? []);
    expect(await services.media.readBytes(id)).toEqual(pixel);
    expect(run.media).toMatchObject([{ id, kind: 'image', width: 1 }]);
    // The stored answer and the run’s state must contain references only.
    expect(JSON.stringify([stored, run.state])).not.toContain('iVBOR');
  });

  it('sends reasoning in tags if provider fields are always sent', async () => {
    const { sent } = await play(inPieces(`<think>\nA gate.\n</think>\n\n${markdown}`), 'always');
    expect(sent).toEqual([
      text('<think>\nA gate.\n</think>\n\nHere:\n\n'),
      ...[sentImage, text('\n\nDone.')],
    ]);
  });

  it('keeps image Markdown in a code block as text', async () => {
    const code = `Write this:\n\n\`\`\`md\n![x](${url})\n\`\`\`\n`;
    const { sent, run } = await play(inPieces(code));
    expect(sent).toBe(code);
    expect(run.media).toEqual([]);
  });

  it('keeps an image reference that the model made up as text', async () => {
    const made = '![x](media:AAAAAAAAAAAAAAAAAAAAAA) and ![y](data:image/png;base64,AAAAAAAA)';
    const { sent, run } = await play(inPieces(made));
    expect(sent).toBe(made);
    expect(run.media).toEqual([]);
  });
});
