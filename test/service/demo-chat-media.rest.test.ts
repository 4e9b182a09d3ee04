import { describe, expect, it } from 'vitest';
import { shareClient, user } from './demo-gateway-client.ts';

const client = await shareClient();

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('demo-echo', () => {
  const echo = async (...parts: unknown[]) => {
    const { body } = await client.chat({ model: 'demo-echo', messages: [user(parts)] });
    return body.choices[0].message.content;
  };

  it('reports the dimensions of an image, from a data URL or bare base64', async () => {
    const drawn = await client.post('/v1beta/models/demo-image:generateContent', {
      contents: [{ parts: [{ text: 'x' }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { imageSize: '512' } },
    });
    const { data } = JSON.parse(await drawn.text()).candidates[0].content.parts[0].inlineData;
    const size = Buffer.byteLength(data, 'base64').toLocaleString('en-US');
    const words = `image_url: image/png, ${size} bytes, 512 × 512 pixels`;
    expect(
      await echo({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }),
    ).toContain(words);
    expect(await echo({ type: 'image_url', image_url: { url: data, detail: 'high' } })).toContain(
      `${words}, detail high`,
    );
  });

  it.each(['wav', 'mp3'])('reports the duration of %s', async (format) => {
    const spoken = await client.post('/v1/audio/speech', {
      model: 'demo-speech',
      input: 'One, two, three.',
      response_format: format,
    });
    const bytes = await bytesOf(spoken);
    const text = await echo({
      type: 'input_audio',
      input_audio: { data: bytes.toString('base64'), format },
    });
    const type = format === 'wav' ? 'audio/wav' : 'audio/mpeg';
    const size = bytes.length.toLocaleString('en-US');
    expect(text).toContain(`input_audio: ${format}, ${type}, ${size} bytes, `);
    expect(text).toMatch(/bytes, [1-3]\.\d seconds/);
  });

  it('recognizes a file by its bytes, and never fetches web addresses', async () => {
    const pdf = Buffer.from('%PDF-1.7\n').toString('base64');
    const text = await echo(
      { type: 'file', file: { filename: 'a.txt', file_data: `data:text/plain;base64,${pdf}` } },
      { type: 'video_url', video_url: { url: 'https://example.com/film.mp4' } },
    );
    expect(text).toContain('file: a.txt, application/pdf, 9 bytes');
    expect(text).toContain('video_url: https://example.com/film.mp4');
  });
});

describe('audio answers', () => {
  const ask = {
    modalities: ['text', 'audio'],
    messages: [user('Speak')],
  };
  const answer = async (audio: Record<string, string>, model = 'demo-tools') =>
    client.chat({ ...ask, model, audio });

  it.each([
    ['mp3', (bytes: Buffer) => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0],
    ['pcm16', (bytes: Buffer) => bytes.length % 2 === 0 && bytes.length > 48_000],
  ])('returns audio as %s with transcript and expiry', async (format, looksRight) => {
    const { status, body } = await answer({ voice: 'nova', format });
    expect(status).toBe(200);
    const { content, audio } = body.choices[0].message;
    expect(content).toBeNull();
    expect(audio).toMatchObject({ id: expect.stringMatching(/^audio_/) });
    expect(audio.transcript).toContain('Turn on tools');
    expect(audio.expires_at).toBeGreaterThan(Date.now() / 1000);
    expect(looksRight(Buffer.from(audio.data, 'base64'))).toBe(true);
    expect(body.usage.completion_tokens_details.audio_tokens).toBeGreaterThan(0);
  });

  it('streams pcm16 chunks along with their words', async () => {
    const { chunks, done } = await client.frames('/v1/chat/completions', {
      ...ask,
      model: 'demo-tools',
      audio: { voice: 'onyx', format: 'pcm16' },
      stream_options: { include_usage: true },
    });
    expect(done).toBe(true);
    const deltas = chunks.flatMap(({ choices }) =>
      choices.map((choice: { delta: unknown }) => choice.delta),
    );
    const audio = deltas.flatMap((delta) => delta.audio ?? []);
    expect(deltas.filter((delta) => delta.content)).toEqual([]);
    expect(new Set(audio.map(({ id }) => id)).size).toBe(1);
    const fragments = audio.flatMap(({ data }) => data ?? []);
    expect(fragments.length).toBeGreaterThan(10);
    const sound = Buffer.concat(fragments.map((data) => Buffer.from(data, 'base64')));
    expect(sound.length / 48_000).toBeGreaterThan(4);
    const transcript = audio.map((part) => part.transcript ?? '').join('');
    expect(transcript).toContain('Turn on tools');
    expect(audio.at(-1).expires_at).toBeGreaterThan(Date.now() / 1000);
    const whole = await answer({ voice: 'onyx', format: 'pcm16' });
    expect(whole.body.choices[0].message.audio).toMatchObject({
      transcript,
      data: sound.toString('base64'),
    });
  });

  it.each([
    ['an unknown format', { audio: { format: 'midi' } }],
    ['mp3 in a stream', { audio: { format: 'mp3' }, stream: true }],
  ])('rejects %s', async (_name, fields) => {
    const { status, body } = await client.chat({ ...ask, model: 'demo-echo', ...fields });
    expect([status, body.error.param]).toEqual([400, 'audio.format']);
  });
});
