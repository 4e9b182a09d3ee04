import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, KEY, startWithClient } from './demo-gateway-client.ts';

let client: Client;
beforeAll(async () => {
  client = await startWithClient();
});
afterAll(() => client.gateway.close());

// biome-ignore lint/suspicious/noExplicitAny: replies are read as a foreign client would
const json = async (response: Response): Promise<any> => response.json();
const IMAGE = '/v1beta/models/demo-image:generateContent';
const contents = [{ role: 'user', parts: [{ text: 'A gate' }] }];

describe('demo image', () => {
  it('answers with words and a PNG of the size asked for', async () => {
    const body = await json(
      await client.post(IMAGE, {
        contents,
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '4:1', imageSize: '1K' },
        },
      }),
    );
    const [candidate] = body.candidates;
    expect(candidate).toMatchObject({ finishReason: 'STOP', content: { role: 'model' } });
    const [words, picture] = candidate.content.parts;
    expect(words.text).toContain('A gate');
    expect(picture.inlineData.mimeType).toBe('image/png');
    const png = Buffer.from(picture.inlineData.data, 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2048, 512]);
    const start = png.indexOf('IDAT') + 4;
    const pixels = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
    expect(pixels.length).toBe((2048 + 1) * 512);
    expect(body.usageMetadata.totalTokenCount).toBe(
      body.usageMetadata.promptTokenCount + body.usageMetadata.candidatesTokenCount,
    );
  });

  it.each([
    ['contents', {}],
    [
      'generationConfig.imageConfig.aspectRatio',
      {
        contents,
        generationConfig: { imageConfig: { aspectRatio: 'wide' } },
      },
    ],
    [
      'generationConfig.imageConfig.imageSize',
      {
        contents,
        generationConfig: { imageConfig: { imageSize: '9K' } },
      },
    ],
  ])('answers 400 naming %s', async (param, body) => {
    const response = await client.post(IMAGE, body);
    expect([response.status, (await json(response)).error.param]).toEqual([400, param]);
  });

  it('answers 404 to another model', async () => {
    const response = await client.post('/v1beta/models/demo-echo:generateContent', { contents });
    expect(response.status).toBe(404);
  });
});

describe('demo video', () => {
  it('goes from queued over in_progress to completed, with a film behind its key', async () => {
    const slow = await startWithClient({ speed: 20 });
    try {
      const submitted = await json(
        await slow.post('/v1/video/generations', {
          model: 'demo-video',
          prompt: 'A boat',
          duration: 1,
          width: 64,
          height: 48,
          fps: 4,
          seed: 7,
        }),
      );
      expect(submitted).toEqual({ task_id: expect.any(String), status: 'queued' });
      const poll = async () => json(await slow.get(`/v1/video/generations/${submitted.task_id}`));
      const seen: string[] = [];
      await expect
        .poll(
          async () => {
            const { status } = await poll();
            if (seen.at(-1) !== status) seen.push(status);
            return status;
          },
          { interval: 20, timeout: 5000 },
        )
        .toBe('completed');
      expect(seen).toEqual(['queued', 'in_progress', 'completed']);
      const task = await poll();
      expect(task).toMatchObject({
        format: 'avi',
        metadata: { duration: 1, fps: 4, width: 64, height: 48, seed: 7 },
      });
      expect(task.url.startsWith(slow.gateway.baseUrl)).toBe(true);
      expect((await fetch(task.url)).status).toBe(401);
      const film = await fetch(task.url, { headers: { authorization: `Bearer ${KEY}` } });
      const bytes = Buffer.from(await film.arrayBuffer());
      expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFAVI ');
      expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
      expect(bytes.toString('latin1').split('00dc').length - 1).toBe(4 * 2);
    } finally {
      await slow.gateway.close();
    }
  });

  it('fails a task whose prompt asks for it', async () => {
    const { task_id: id } = await json(
      await client.post('/v1/video/generations', { model: 'demo-video', prompt: 'a [fail]' }),
    );
    const poll = async () => json(await client.get(`/v1/video/generations/${id}`));
    await expect.poll(async () => (await poll()).status).toBe('failed');
    expect(await poll()).toMatchObject({
      error: { code: expect.any(Number), message: expect.any(String) },
    });
  });

  it('answers with an error object to an unknown task and a size out of range', async () => {
    const unknown = await client.get('/v1/video/generations/task_none');
    expect([unknown.status, (await json(unknown)).error.code]).toEqual([404, 'task_not_exist']);
    const large = await client.post('/v1/video/generations', {
      model: 'demo-video',
      prompt: 'x',
      width: 100_000,
    });
    expect([large.status, (await json(large)).error.param]).toEqual([400, 'width']);
  });
});

describe('demo rerank', () => {
  const query = 'How do gates keep the flood out?';
  const documents = [
    'Bread needs flour and patience.',
    { text: 'A flood gate keeps the water out of the town.' },
    'The gate is painted red.',
  ];

  it('ranks by shared words, takes strings and objects, and cuts at top_n', async () => {
    const body = await json(
      await client.post('/v1/rerank', {
        model: 'demo-rerank',
        query,
        documents,
        top_n: 2,
        return_documents: true,
      }),
    );
    expect(body.results.map(({ index }: { index: number }) => index)).toEqual([1, 2]);
    expect(body.results[0].document).toEqual({
      text: 'A flood gate keeps the water out of the town.',
    });
    expect(body.results[0].relevance_score).toBeGreaterThan(body.results[1].relevance_score);
    expect(body.results[0].relevance_score).toBeLessThanOrEqual(1);
    expect(body).toMatchObject({ id: expect.any(String), meta: expect.any(Object) });
  });

  it('leaves documents out unless asked, and refuses none', async () => {
    const body = await json(
      await client.post('/v1/rerank', { model: 'demo-rerank', query, documents }),
    );
    expect(body.results).toHaveLength(3);
    expect(body.results[0]).not.toHaveProperty('document');
    const empty = await client.post('/v1/rerank', { model: 'demo-rerank', query, documents: [] });
    expect([empty.status, (await json(empty)).error.param]).toEqual([400, 'documents']);
  });
});

describe('demo speech and transcription', () => {
  const speak = (fields: Record<string, unknown>) =>
    client.post('/v1/audio/speech', { model: 'demo-speech', input: 'Hello there', ...fields });
  const transcribe = (fields: [string, string][], file: Blob | null) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    if (file) form.append('file', file, 'note.wav');
    return fetch(`${client.gateway.baseUrl}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: form,
    });
  };

  it('hums a WAV that is audible and shorter at a higher speed', async () => {
    const response = await speak({ voice: 'nova' });
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(bytes.readUInt32LE(24)).toBe(24_000);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44));
    expect(Math.max(...samples)).toBeGreaterThan(5000);
    const pcm = Buffer.from(
      await (await speak({ response_format: 'pcm', speed: 2 })).arrayBuffer(),
    );
    expect(pcm.length).toBeCloseTo((bytes.length - 44) / 2, -2);
  });

  it.each([
    ['input', { input: 'x'.repeat(4097) }],
    ['speed', { speed: 5 }],
    ['response_format', { response_format: 'ogg' }],
    ['response_format', { response_format: 'mp3' }],
  ])('answers 400 naming %s', async (param, fields) => {
    const response = await speak(fields);
    expect([response.status, (await json(response)).error.param]).toEqual([400, param]);
  });

  it('transcribes in every format', async () => {
    const wav = await (await speak({})).blob();
    const seconds = (wav.size - 44) / 48_000;
    const as = (format: string, ...more: [string, string][]) =>
      transcribe([['model', 'demo-transcribe'], ['response_format', format], ...more], wav);
    expect((await json(await as('json'))).text).toContain('note.wav');
    expect(await (await as('text')).text()).toContain(`${seconds.toFixed(1)} seconds`);
    expect(await (await as('srt')).text()).toMatch(/^1\n00:00:00,000 --> 00:00:00,\d{3}\nThis/);
    expect(await (await as('vtt')).text()).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
    const verbose = await json(
      await as(
        'verbose_json',
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
      ),
    );
    expect(verbose.duration).toBeCloseTo(seconds, 5);
    expect(verbose.segments[0]).toMatchObject({ id: 0, start: 0, text: expect.any(String) });
    expect(verbose.words[0]).toEqual({ word: 'This', start: 0, end: expect.any(Number) });
    expect(verbose.words.at(-1).end).toBeCloseTo(seconds, 2);
  });

  it('names what is missing from the form', async () => {
    const missing = await transcribe([['model', 'demo-transcribe']], null);
    expect([missing.status, (await json(missing)).error.param]).toEqual([400, 'file']);
    const bad = await transcribe(
      [
        ['model', 'demo-transcribe'],
        ['language', 'english'],
      ],
      new Blob(['x']),
    );
    expect([bad.status, (await json(bad)).error.param]).toEqual([400, 'language']);
    const plain = await client.post('/v1/audio/transcriptions', {});
    expect(plain.status).toBe(400);
  });
});
