/** Replies that are a list where the interface has an object. */
import { describe, expect, it } from 'vitest';
import { startBench } from '../fixtures/run-operation.ts';
import { reply } from '../fixtures/wire-server.ts';

const answering = (text: string, status = '200 OK', type = 'application/json') =>
  startBench(({ send }) => send(reply(status, { 'Content-Type': type }, text)));
const image = { model: 'm', contents: [{ role: 'user', parts: [{ text: 'A dot' }] }] };
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a list', () => {
  it('is the ranking of a rerank, scores as text too', async () => {
    const bench = await answering('[{"index":1,"score":"0.2"},{"index":0,"relevance_score":0.1}]');
    const view = await bench.run('rerank', { model: 'm', query: 'q', documents: ['a', 'b'] });
    expect(view).toMatchObject({ status: 'succeeded', state: { warnings: [] } });
    expect(view.state.results.map(({ index, relevanceScore }) => [index, relevanceScore])).toEqual([
      [1, 0.2],
      [0, 0.1],
    ]);
  });

  it('is what an image request would have streamed, its base64 with line breaks', async () => {
    const data = `data:image/png;base64,${dot.replace(/.{40}/g, '$&\n')}`;
    const bench = await answering(
      JSON.stringify([
        { candidates: [{ content: { parts: [{ text: 'Here:' }] } }] },
        {
          candidates: [{ content: { parts: [{ inline_data: { data } }] }, finish_reason: 'STOP' }],
        },
      ]),
    );
    const view = await bench.run('image', image);
    expect(view).toMatchObject({
      status: 'succeeded',
      media: [{ type: 'image/png', complete: true, width: 1 }],
      state: { candidates: [{ parts: [{ type: 'text' }, { type: 'media' }] }], warnings: [] },
    });
  });

  it('rejects a bare list for operations that read none', async () => {
    const bench = await answering('[{"choices":[{"index":0,"delta":{"content":"Hi"}}]}]');
    const messages = [{ role: 'user', content: 'Hi' }];
    for (const [operation, request] of [
      ['chat', { model: 'm', messages }],
      ['completion', { model: 'm', prompt: 'Hi' }],
    ] as const) {
      expect(await bench.run(operation, request)).toMatchObject({
        status: 'failed',
        error: { kind: 'malformed-response', message: 'The response isn’t a valid JSON object.' },
      });
    }
  });

  it('of one error is that error', async () => {
    const bench = await answering('[{"error":{"code":400,"message":"Bad","status":"INVALID"}}]');
    expect(await bench.run('image', image)).toMatchObject({
      status: 'failed',
      error: { kind: 'gateway', gateway: { message: 'Bad', type: 'INVALID' } },
    });
  });

  it('rejects an empty list', async () => {
    const bench = await answering('[]');
    expect(await bench.run('image', image)).toMatchObject({
      status: 'failed',
      error: { kind: 'malformed-response' },
    });
  });
});

describe('an error in plain text', () => {
  it('is shown', async () => {
    const bench = await answering('File too long: 31 minutes', '400 Bad Request', 'text/plain');
    const file = await bench.store('a.wav', 'audio/wav', Buffer.from('RIFF\0\0\0\0WAVE'));
    const view = await bench.run('transcription', { model: 'm', file: `media:${file}` });
    expect(view.error?.message).toBe(
      'The gateway returned HTTP status 400: File too long: 31 minutes.',
    );
  });
});
