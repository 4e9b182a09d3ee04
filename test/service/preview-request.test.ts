import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { pixel } from '../fixtures/pixel.ts';
import { startBench, testKey } from '../fixtures/run-operation.ts';
import { always, jsonReply } from '../fixtures/wire-server.ts';

type Operation =
  | 'completion'
  | 'image'
  | 'video'
  | 'rerank'
  | 'embeddings'
  | 'speech'
  | 'transcription'
  | 'console';

const turn = (parts: JsonObject[]) => ({ contents: [{ role: 'user', parts }] });

/** Requests to preview. `file` is the reference of an image. */
const cases: [name: string, Operation, (file: string) => JsonObject, JsonObject?][] = [
  ['a completion', 'completion', () => ({ prompt: 'Once', stream: true })],
  ['documents', 'rerank', () => ({ query: 'q', documents: ['a'] }), { top_k: 12 }],
  [
    'the first of several requests',
    'embeddings',
    () => ({ input: ['a', 'b', 'c'], batch_size: 2 }),
  ],
  ['speech', 'speech', () => ({ input: 'Hi', voice: 'alloy', response_format: 'pcm' })],
  [
    'a form with an audio file',
    'transcription',
    (file) => ({ file, timestamp_granularities: ['word', 'segment'] }),
  ],
  ['an image', 'image', (data) => turn([{ inlineData: { mimeType: 'image/png', data } }])],
  [
    'a form with an edited image',
    'image',
    (data) => ({ format: 'images', ...turn([{ inlineData: { data } }, { text: 'Night' }]) }),
  ],
  ['a video', 'video', (image) => ({ prompt: 'Sea', image, duration: 4 })],
  ['a form with a first frame', 'video', (image) => ({ format: 'videos', prompt: 'Sea', image })],
  [
    'a file in an extra body field',
    'video',
    () => ({ prompt: 'Sea' }),
    { mask: { $file: 'FILE', as: 'base64' } },
  ],
  ['a Console request', 'console', () => ({ method: 'POST', path: '/v1/x', body: '{"a": 1}' })],
  [
    'a Console form with a file',
    'console',
    (media) => ({
      method: 'PUT',
      path: '/v1/files',
      body: null,
      multipart: { fields: [['purpose', 'batch']], file: { name: 'file', media } },
    }),
  ],
];

describe('a preview', () => {
  it.each(cases)('previews %s exactly as a run sends it', async (_name, operation, own, extra) => {
    const bench = await startBench(always(jsonReply('{}')));
    const file = createMediaReference(await bench.store('photo.png', 'image/png', pixel));
    const request = { ...(operation !== 'console' && { model: 'm' }), ...own(file) };
    const mask = extra?.mask === undefined ? {} : { mask: { $file: file, as: 'base64' } };
    const extraBody = { ...extra, ...mask };
    const input = { connectionId: 'environment', operation, request, extraBody };
    const { body, headers, ...preview } = await bench.services.engine.preview(input);
    expect(bench.server.requests).toEqual([]);
    const { id } = await bench.run(operation, request, extraBody);
    const [sent] = bench.events(id, 'request');
    expect(sent).toMatchObject(preview);
    expect(sent?.body).toBe(body);
    const isMeasured = body?.includes('<base64 of') !== true;
    // The boundary of a form is random.
    const known = ([header, value]: [string, string]) => [header, value.replace(/boundary=.*/, '')];
    expect(headers.map(known)).toEqual(
      sent?.headers.filter(([header]) => isMeasured || header !== 'content-length').map(known),
    );
    expect(JSON.stringify({ body, headers, ...preview })).not.toContain(testKey);
  });

  it('fails with the same error as a run, and sends nothing', async () => {
    const bench = await startBench(always(jsonReply('{}')));
    const input = {
      connectionId: 'environment',
      operation: 'speech' as const,
      request: { model: 'm' },
    };
    await expect(bench.services.engine.preview(input)).rejects.toThrow(/Enter some text first/);
    const gone = createMediaReference('a'.repeat(22));
    const missing = {
      ...input,
      operation: 'transcription' as const,
      request: { model: 'm', file: gone },
    };
    await expect(bench.services.engine.preview(missing)).rejects.toThrow(
      /no longer in the library/,
    );
    expect(bench.server.requests).toEqual([]);
  });
});
