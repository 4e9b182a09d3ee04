import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { type Bench, shareBench, startBench } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { always, jsonReply, reply, type Script } from '../fixtures/wire-server.ts';

const serveWith = await shareBench();

const sound = Buffer.from([0x49, 0x44, 0x33, 0, 255, 13, 10, 45, 45, 0, 128, 7]);

const answer = (type: string, body: string, status = '200 OK'): Script =>
  always(reply(status, { 'Content-Type': type }, body));

async function transcribe(
  bench: Bench,
  fields: JsonObject = {},
  extraBody: JsonObject = {},
  name = 'talk.mp3',
  wireNames: Record<string, string> = {},
) {
  const id = await bench.store(name, 'audio/mpeg', sound);
  const request = { model: 'whisper-1', file: createMediaReference(id), ...fields };
  return bench.run('transcription', request, extraBody, wireNames);
}

describe('the form of a transcription', () => {
  it('frames the form exactly, with the file as stored', async () => {
    let sent: Buffer = Buffer.alloc(0);
    const bench = await startBench(async ({ requestBytes, send }) => {
      sent = requestBytes;
      await send(jsonReply('{"text":"Hi"}'));
    });
    const view = await transcribe(
      bench,
      {
        language: 'en',
        temperature: 0,
        prompt: 'Two\nlines',
        response_format: 'json',
        timestamp_granularities: ['word', 'segment'],
      },
      { 'odd "field"\n': true, chunking: { type: 'auto' }, left_out: null },
      'odd "name"\n.mp3',
      { timestamp_granularities: 'timestamp_granularities[]' },
    );
    expect(view.status).toBe('succeeded');
    const at = sent.indexOf('\r\n\r\n') + 4;
    const head = sent.subarray(0, at).toString('latin1');
    const [, boundary = ''] =
      /content-type: multipart\/form-data; boundary=(\S+)/i.exec(head) ?? [];
    expect(head).toMatch(/^POST \/v1\/audio\/transcriptions HTTP\/1\.1\r\n/);
    expect(head).toContain('Authorization: Bearer sk-test-1234567890');
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const expected = Buffer.concat([
      Buffer.from(
        field('model', 'whisper-1') +
          field('prompt', 'Two\r\nlines') +
          field('language', 'en') +
          field('temperature', '0') +
          field('response_format', 'json') +
          field('timestamp_granularities[]', 'word') +
          field('timestamp_granularities[]', 'segment') +
          field('odd %22field%22%0D%0A', 'true') +
          field('chunking', '{"type":"auto"}') +
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="odd %22name%22_.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n`,
      ),
      sound,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    expect(sent.subarray(at)).toEqual(expected);
    expect(head).toContain(`content-length: ${expected.length}\r\n`);
  });

  it('uses the spelling of the interface by default', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    await transcribe(bench, { timestamp_granularities: ['word'] });
    expect(bench.server.requests[0]).toContain('name="timestamp_granularities"\r\n\r\nword');
    expect(bench.server.requests[0]).not.toContain('timestamp_granularities[]');
  });

  it('lists a run under its file name', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    const view = await transcribe(bench, { prompt: 'Names: Ada' });
    expect(view.preview).toBe('talk.mp3');
  });

  it('shows the form’s fields, and the file’s name, type, size and duration', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    const view = await transcribe(bench, { response_format: 'json' });
    const [request] = bench.events(view.id, 'request');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      fields: [
        ['model', 'whisper-1'],
        ['response_format', 'json'],
      ],
      files: [
        {
          name: 'file',
          filename: 'talk.mp3',
          type: 'audio/mpeg',
          sizeBytes: sound.length,
          durationSeconds: expect.any(Number),
          reference: expect.stringMatching(/^media:/),
        },
      ],
    });
    expect(view.state).toMatchObject({ requestedFormat: 'json', format: 'json' });
    const { doneBytes, totalBytes } = view.state.upload ?? {};
    expect(view.state.uploadedAtMs).not.toBeNull();
    expect(doneBytes).toBe(totalBytes);
  });

  it('doesn’t reveal a run’s prompt in the file name of its output', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    const name = 'our-secret-plans-2026-11-22-010203.mp3';
    const { media } = bench.services;
    const writer = media.begin({ name, declaredType: 'audio/mpeg', role: 'output' });
    await writer.write(sound);
    const { id } = await writer.finish();
    await bench.run('transcription', { model: 'w', file: createMediaReference(id) });
    expect(bench.server.requests[0]).toContain('name="file"; filename="audio.mp3"');
    expect(bench.server.requests[0]).not.toContain('secret');
    expect(media.get(id)?.name).toBe(name);
  });

  it('fails and names a missing file', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    const id = await bench.store('talk.mp3', 'audio/mpeg', sound);
    bench.services.media.remove(id);
    const view = await bench.run('transcription', { model: 'w', file: createMediaReference(id) });
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'file' } });
    expect(view.error?.message).toContain(id);
    expect(bench.server.requests).toEqual([]);
  });

  it('doesn’t send a request without a file', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    await expect(bench.start('transcription', { model: 'w' })).rejects.toMatchObject({
      error: { fields: [{ path: ['file'], message: 'Record or choose an audio file first.' }] },
    });
  });
});

const verbose = JSON.stringify({
  task: 'transcribe',
  language: 'english',
  duration: '2.5',
  text: ' Hello there. ',
  segments: [
    { id: 0, start: 0, end: 1.2, text: ' Hello', avg_logprob: -0.1 },
    { id: 1, start: '1.2', end: 2.5, text: ' there.' },
    { id: 2, text: 'lost' },
  ],
  words: [
    { word: 'Hello', start: 0, end: 1.1 },
    { word: 'there', start: 1.2, end: 2.4 },
  ],
});
const cues = [
  { id: 1, start: 0, end: 1.5, text: 'Hello' },
  { id: 2, start: 61.2, end: 3723.004, text: 'there & you' },
];
const srt =
  '1\r\n00:00:00,000 --> 00:00:01,500\r\nHello\r\n\r\n2\r\n00:01:01,200 --> 01:02:03,004\r\n<i>there</i>\r\n& you\r\n';
const vtt =
  'WEBVTT\n\nNOTE made by hand\n\n1\n00:00.000 --> 00:01.500 align:start\n<v Ann>Hello\n\n2\n01:01.200 --> 1:02:03.004\n<00:01:01.500><c.loud>there</c> &amp; you\n';

describe('a transcript', () => {
  it('reads segments, words and duration from verbose_json', async () => {
    const bench = serveWith(answer('application/json', verbose));
    const { state } = await transcribe(bench, { response_format: 'verbose_json' });
    expect(state).toMatchObject({
      text: 'Hello there.',
      language: 'english',
      durationSeconds: 2.5,
      segments: [
        { id: 0, start: 0, end: 1.2, text: 'Hello' },
        { id: 1, start: 1.2, end: 2.5, text: 'there.' },
      ],
      words: [
        { word: 'Hello', start: 0, end: 1.1 },
        { word: 'there', start: 1.2, end: 2.4 },
      ],
      format: 'verbose_json',
      raw: verbose,
      warnings: ['Some segments have no timestamps and were skipped.'],
    });
  });

  it('detects milliseconds by the length of the sent audio', async () => {
    const segments = [
      { start: 0, end: 900, text: 'Hello' },
      { start: 900, end: 1800, text: 'there.' },
    ];
    const bench = serveWith(answer('application/json', JSON.stringify({ segments })));
    const file = createMediaReference(
      await bench.store('talk.wav', 'audio/wav', wav({ seconds: 2 })),
    );
    const view = await bench.run('transcription', { model: 'w', file });
    expect(view.state).toMatchObject({
      segments: [{ end: 0.9 }, { start: 0.9, end: 1.8 }],
      warnings: ['The timestamps are in milliseconds. Gatehouse converted them to seconds.'],
    });
    const [request] = bench.events(view.id, 'request');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ files: [{ durationSeconds: 2 }] });
  });

  it.each([
    ['srt', 'application/x-subrip', srt],
    ['vtt', 'text/vtt', vtt],
  ])('reads a transcript from %s', async (format, type, body) => {
    const bench = serveWith(answer(type, body));
    const { status, state } = await transcribe(bench, { response_format: format });
    expect(status).toBe('succeeded');
    expect(state).toMatchObject({
      format,
      segments: cues,
      text: 'Hello there & you',
      warnings: [],
    });
    expect(state.raw).toBe(body);
  });

  it.each([
    ['text/plain', 'Hello there.\n', 'text', 'Hello there.'],
    ['text/plain', 'data is everything\n', 'text', 'data is everything'],
    ['text/plain', '<noise> Hi', 'text', '<noise> Hi'],
    ['text/plain', '[Music]', 'text', '[Music]'],
    ['text/plain', '\n', 'text', ''],
    ['application/json', '{"text":"Hi","usage":{"type":"duration","seconds":3}}', 'json', 'Hi'],
    ['application/json', '{"code":0,"data":{"text":"Hi"}}', 'json', 'Hi'],
    ['application/json', '"Hi"', 'text', 'Hi'],
    ['application/json', JSON.stringify({ text: srt }), 'json', 'Hello there & you'],
  ])('reads %s %j as %s', async (type, body, format, text) => {
    const bench = serveWith(answer(type, body));
    expect(await transcribe(bench)).toMatchObject({
      status: 'succeeded',
      state: { format, text, requestedFormat: null },
    });
  });

  it.each([
    ['verbose_json', 'text/plain', 'Hi', 'text'],
    ['text', 'application/json', '{"text":"Hi"}', 'json'],
    ['vtt', 'text/plain', srt, 'srt'],
  ])(
    'reports a transcript requested as %s and received in another format',
    async (requested, type, body, received) => {
      const bench = serveWith(answer(type, body));
      const { state } = await transcribe(bench, { response_format: requested });
      expect(state.format).toBe(received);
      expect(state.warnings).toEqual([`Requested ${requested}, received ${received}.`]);
    },
  );

  it('grows while the transcript streams', async () => {
    const body =
      'data: {"type":"transcript.text.delta","delta":"Hel"}\n\ndata: {"type":"transcript.text.delta","delta":"lo"}\n\ndata: {"type":"transcript.text.done","text":"Hello."}\n\n';
    const bench = serveWith(answer('text/event-stream', body));
    const view = await transcribe(bench, {}, { stream: true });
    expect(view).toMatchObject({ status: 'succeeded', state: { text: 'Hello.', format: 'json' } });
    expect(view.timings?.deltaCount).toBe(3);
  });
});

describe('audio from a speech run', () => {
  it('links a transcription to the speech run, but not to a file of the user', async () => {
    const bench = serveWith(answer('application/json', '{"text":"Hi"}'));
    const { media } = bench.services;
    const spoken = media.begin({ name: 'speech.wav', declaredType: 'audio/wav', runId: 'spoke' });
    await spoken.write(wav());
    const { id } = await spoken.finish();
    const view = await bench.run('transcription', { model: 'm', file: createMediaReference(id) });
    expect(view.sourceRunId).toBe('spoke');
    expect((await transcribe(bench)).sourceRunId).toBeNull();
  });
});
