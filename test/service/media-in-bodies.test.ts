import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { pixel } from '../fixtures/pixel.ts';
import { shareBench } from '../fixtures/run-operation.ts';
import { notedPauses } from '../fixtures/video-run.ts';
import {
  always,
  chunk,
  jsonReply,
  lastChunk,
  type Script,
  streamHead,
} from '../fixtures/wire-server.ts';

const serveWith = await shareBench({ polling: notedPauses().polling });

const answer = (body: unknown): Script => always(jsonReply(body));
const bodyOf = (request: string | undefined): JsonObject =>
  JSON.parse(request?.slice(request.indexOf('\r\n\r\n')) ?? '');
const messages = [{ role: 'user', content: 'Hi' }];
const chatReply = {
  choices: [{ index: 0, message: { content: 'A dot.' }, finish_reason: 'stop' }],
};

describe('a request with media', () => {
  it('inserts files that are marked in extra body fields, and no others', async () => {
    const bench = serveWith(answer(chatReply));
    const ref = createMediaReference(await bench.store('dot.png', 'image/png', pixel));
    const extra = {
      frames: [{ url: { $file: ref } }, { $file: ref, as: 'base64' }],
      note: ref,
      $file: ref,
      odd: { $file: 'dot.png' },
      more: { $file: ref, alt: 'x' },
    };
    const view = await bench.run('chat', { model: 'm', messages }, extra);
    expect(view.status).toBe('succeeded');
    const base64 = pixel.toString('base64');
    const { model: _, messages: _messages, ...sent } = bodyOf(bench.server.requests[0]);
    expect(sent).toEqual({
      ...extra,
      frames: [{ url: `data:image/png;base64,${base64}` }, base64],
    });
    const [request] = bench.events(view.id, 'request');
    expect(request?.body).not.toContain(base64);
    expect(request?.body).toContain('<base64 of dot.png');
  });

  it('records an uploaded form without the content of marked files', async () => {
    const bench = serveWith(answer({ id: 'v', status: 'completed' }));
    const ref = createMediaReference(await bench.store('dot.png', 'image/png', pixel));
    const request = { model: 'm', format: 'videos', prompt: 'A dot', image: ref };
    const view = await bench.run('video', request, { style: { $file: ref } });
    const base64 = pixel.toString('base64');
    expect(bench.server.requests[0]).toContain(base64);
    const [sent] = bench.events(view.id, 'request');
    expect(sent?.body).not.toContain(base64);
    expect(sent?.body).toContain('<base64 of dot.png');
  });

  it('sends nothing if a marked file has been deleted', async () => {
    const bench = serveWith(answer(chatReply));
    const gone = { image: { $file: `media:${'A'.repeat(22)}` } };
    const view = await bench.run('chat', { model: 'm', messages }, gone);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'file' } });
    expect(bench.server.requests).toHaveLength(0);
  });

  it('sends the bytes, and records the request without them', async () => {
    const bench = serveWith(answer(chatReply));
    const id = await bench.store('dot.png', 'image/png', pixel);
    const ref = createMediaReference(id);
    const view = await bench.run('chat', {
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: ref },
            { type: 'image_url', image_url: { url: ref, detail: 'low' } },
            { type: 'input_audio', input_audio: { data: ref, format: 'wav' } },
            { type: 'file', file: { filename: 'dot.png', file_data: ref } },
            { type: 'video_url', video_url: { url: 'https://x.example/a.mp4' } },
          ],
        },
      ],
    });
    expect(view.status).toBe('succeeded');
    const base64 = pixel.toString('base64');
    const [message] = bodyOf(bench.server.requests[0]).messages as JsonObject[];
    expect(message?.content).toEqual([
      { type: 'text', text: ref },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}`, detail: 'low' } },
      { type: 'input_audio', input_audio: { data: base64, format: 'wav' } },
      { type: 'file', file: { filename: 'dot.png', file_data: `data:image/png;base64,${base64}` } },
      { type: 'video_url', video_url: { url: 'https://x.example/a.mp4' } },
    ]);
    const [request] = bench.events(view.id, 'request');
    expect(request?.body).not.toContain(base64);
    expect(request?.body).toContain(`"data":"<base64 of dot.png, ${pixel.length} bytes, ${ref}>"`);
    expect(request?.headers).toContainEqual([
      'content-length',
      String(JSON.stringify(bodyOf(bench.server.requests[0])).length),
    ]);
  });

  it('sends an output under a generic name, because its own name reveals another prompt', async () => {
    const bench = serveWith(answer(chatReply));
    const store = bench.services.media;
    const name = 'a-private-thought-2026-11-22.txt';
    const writer = store.begin({ name, declaredType: 'text/plain', role: 'output' });
    await writer.write(Buffer.from('Something'));
    const { id } = await writer.finish();
    const file = { filename: name, file_data: createMediaReference(id) };
    await bench.run('chat', {
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'file', file }] }],
    });
    await bench.run('console', {
      method: 'POST',
      path: '/v1/files',
      body: null,
      multipart: { fields: [], file: { name: 'file', media: createMediaReference(id) } },
    });
    const [chat = '', form = ''] = bench.server.requests;
    expect(chat).toContain('"filename":"file.txt"');
    expect(form).toContain('filename="file.txt"');
    expect(chat + form).not.toContain('private');
  });

  it('fails and names a missing file', async () => {
    const bench = serveWith(answer(chatReply));
    const ref = createMediaReference('A'.repeat(22));
    const view = await bench.run('chat', {
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: ref } }] }],
    });
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'file' } });
    expect(view.error?.message).toContain(ref);
    expect(bench.server.requests).toEqual([]);
  });
});

describe('a response with media', () => {
  const image: JsonObject = { model: 'img', contents: [{ parts: [{ text: 'a dot' }] }] };

  it.each([
    ['inlineData', { mimeType: 'image/png' }],
    ['inline_data', { mime_type: 'image/png' }],
  ])('records a reference instead of %s', async (field, type) => {
    const base64 = pixel.toString('base64');
    const parts = [{ text: 'Here:' }, { [field]: { ...type, data: base64 } }];
    const bench = serveWith(answer({ candidates: [{ content: { parts } }] }));
    const view = await bench.run('image', image);
    expect(view.status).toBe('succeeded');
    const [media] = view.state.media;
    expect(media).toMatchObject({
      type: 'image/png',
      name: expect.stringMatching(/^a-dot-.*\.png$/),
      width: 1,
      height: 1,
    });
    expect(view.state.candidates[0]?.parts).toMatchObject([
      { type: 'text', text: 'Here:', thought: false },
      { type: 'media', mediaId: media?.id, mimeType: 'image/png' },
    ]);
    const [body] = bench.events(view.id, 'body');
    expect(body?.text).not.toContain(base64);
    expect(await bench.services.media.readBytes(media?.id ?? '')).toEqual(pixel);
  });

  const chat: JsonObject = { model: 'm', messages: [{ role: 'user', content: 'Speak' }] };
  const sound = Buffer.from(Array.from({ length: 9001 }, (_, at) => at % 251));

  it('stores a spoken answer as one media item', async () => {
    const audio = { id: 'a1', data: sound.toString('base64'), transcript: 'Hi', expires_at: 9 };
    const bench = serveWith(
      answer({ choices: [{ index: 0, message: { role: 'assistant', content: null, audio } }] }),
    );
    const view = await bench.run('chat', chat);
    const spoken = view.state.choices.map(viewAnswer)[0]?.audio;
    expect(spoken).toMatchObject({ id: 'a1', transcript: 'Hi', expiresAt: 9 });
    expect(await bench.services.media.readBytes(spoken?.media ?? '')).toEqual(sound);
  });

  it.each([
    ['each encoded separately', 1000],
    ['split anywhere', 0],
  ])('joins the chunks of a streamed answer: %s', async (_name, pieceBytes) => {
    const whole = sound.toString('base64');
    const pieces =
      pieceBytes > 0
        ? Array.from({ length: Math.ceil(sound.length / pieceBytes) }, (_, at) =>
            sound.subarray(at * pieceBytes, (at + 1) * pieceBytes).toString('base64'),
          )
        : [whole.slice(0, 5), whole.slice(5, 1007), whole.slice(1007)];
    const frame = (audio: JsonObject) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { audio } }] })}\n\n`;
    const bench = serveWith(async ({ send }) => {
      await send(streamHead);
      await send(chunk(frame({ id: 'a1', transcript: 'Hi ' })));
      for (const data of pieces) await send(chunk(frame({ data })));
      await send(chunk('data: [DONE]\n\n'));
      await send(lastChunk);
    });
    const view = await bench.run('chat', { ...chat, stream: true });
    expect(view.status).toBe('succeeded');
    const spoken = view.state.choices.map(viewAnswer)[0]?.audio;
    expect(spoken).toMatchObject({ id: 'a1', transcript: 'Hi ' });
    const id = spoken?.media ?? '';
    expect(await bench.services.media.readBytes(id)).toEqual(sound);
    expect(bench.services.media.get(id)).toMatchObject({ type: 'audio/pcm', complete: true });
    const recorded = bench
      .events(view.id, 'chunk')
      .map(({ data }) => data)
      .join('');
    expect(recorded.length).toBeLessThan(2000);
  });

  it('keeps the audio received before the connection broke', async () => {
    const data = sound.toString('base64');
    const bench = serveWith(async ({ send, socket }) => {
      await send(streamHead);
      await send(
        chunk(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { audio: { data } } }] })}\n\n`,
        ),
      );
      socket.destroy();
    });
    const view = await bench.run('chat', { ...chat, stream: true });
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    const id = view.state.choices.map(viewAnswer)[0]?.audio?.media ?? '';
    expect(await bench.services.media.readBytes(id)).toEqual(sound);
  });
});
