import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import type { SpeechState } from '../../shared/operations/speech/speech.ts';
import { isRunOf, type RunView } from '../../shared/run-view.ts';
import { shareBench, startBench } from '../fixtures/run-operation.ts';
import { silentMp3, wav } from '../fixtures/sounds.ts';
import { always, chunk, lastChunk, reply, type Script } from '../fixtures/wire-server.ts';

const serveWith = await shareBench();

/** Two seconds of 16-bit mono at 8 kHz. */
const sound = wav({ seconds: 2 });
const request: JsonObject = { model: 'tts-1', input: 'Hello there', voice: 'alloy' };

/** Builds an IMA ADPCM file. Its frames hold many samples, and its header has no duration. */
function packed(): Buffer {
  const bytes = wav({ seconds: 2 });
  bytes.writeUInt16LE(0x11, 20);
  bytes.writeUInt16LE(4, 34);
  return bytes;
}

const answer = (
  type: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Script => always(reply('200 OK', { 'Content-Type': type, ...headers }, body));

function speechState(view: RunView): SpeechState {
  if (!isRunOf(view, 'speech')) throw new TypeError(`A run of ${view.operation}`);
  return view.state;
}

describe('speech', () => {
  it('sends the request as written and stores the audio unchanged', async () => {
    const bench = serveWith(answer('audio/wav', sound));
    const view = await bench.run(
      'speech',
      { ...request, response_format: 'wav', speed: 1.5 },
      { style: 'x' },
      { voice: 'voice_id' },
    );
    const [sent = ''] = bench.server.requests;
    expect(sent.split('\r\n')[0]).toBe('POST /v1/audio/speech HTTP/1.1');
    expect(JSON.parse(sent.slice(sent.indexOf('\r\n\r\n')))).toEqual({
      model: 'tts-1',
      input: 'Hello there',
      voice_id: 'alloy',
      response_format: 'wav',
      speed: 1.5,
      style: 'x',
    });
    expect(view).toMatchObject({ status: 'succeeded', preview: 'Hello there' });
    expect(view.state).toMatchObject({
      contentType: 'audio/wav',
      requestedFormat: 'wav',
      receivedFormat: 'wav',
      receivedBytes: sound.length,
      warnings: [],
      media: {
        kind: 'audio',
        type: 'audio/wav',
        name: expect.stringMatching(/^hello-there-\d{4}-\d{2}-\d{2}-\d{6}\.wav$/),
        complete: true,
        durationSeconds: 2,
        sampleRate: 8000,
      },
    });
    const id = view.state.media?.id ?? '';
    expect(await bench.services.media.readBytes(id)).toEqual(sound);
    expect(view.timings?.firstDeltaAtMs).not.toBeNull();
  });

  it('serves the audio while it grows', async () => {
    const listened = Promise.withResolvers<void>();
    const bench = await startBench(async ({ send }) => {
      const head =
        'HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n';
      await send(head);
      await send(chunk(sound.subarray(0, 9000)));
      await listened.promise;
      await send(chunk(sound.subarray(9000)));
      await send(lastChunk);
    });
    const runId = await bench.start('speech', request);
    const stateOf = async () => speechState(await bench.services.engine.view(runId));
    await expect.poll(async () => (await stateOf()).media?.complete).toBe(false);
    const growing = (await stateOf()).media;
    expect(growing).toMatchObject({ kind: 'audio', type: 'audio/wav' });
    expect(bench.services.media.get(growing?.id ?? '')?.sizeBytes).toBe(9000);
    listened.resolve();
    const view = await bench.ended('speech', runId);
    expect(view.state.media).toMatchObject({ id: growing?.id, complete: true });
    expect(bench.events(runId, 'media').map(({ media }) => media.complete)).toEqual([false, true]);
  });

  it.each([
    ['a different format than requested', 'audio/mpeg', sound, 'mp3', 'wav', 'Requested mp3'],
    ['raw samples declared as audio/mpeg', 'audio/mpeg', Buffer.alloc(4800, 7), 'pcm', 'pcm', null],
    [
      'raw samples that begin like JSON',
      'audio/pcm',
      Buffer.concat([Buffer.from('{"'), Buffer.alloc(4800, 200)]),
      'pcm',
      'pcm',
      null,
    ],
    [
      'bytes of no known format',
      'audio/mpeg',
      Buffer.alloc(4800, 7),
      'mp3',
      null,
      'Unknown audio format',
    ],
  ])(
    'reports the received format: %s',
    async (_name, type, bytes, requested, received, warning) => {
      const mixed = Buffer.concat([bytes, Buffer.from([0, 255, 1, 254])]);
      const bench = serveWith(answer(type, mixed));
      const view = await bench.run('speech', { ...request, response_format: requested });
      expect(view.status).toBe('succeeded');
      expect(view.state).toMatchObject({ requestedFormat: requested, receivedFormat: received });
      if (warning === null) expect(view.state.warnings).toEqual([]);
      else expect(view.state.warnings.join()).toContain(warning);
    },
  );

  const page = 'The gateway returned a web page, not audio.';
  const data = 'The gateway returned JSON, not audio.';
  it.each([
    ['text/html', '<!DOCTYPE html><title>Hi</title>', page],
    ['audio/mpeg', `\n<html>${' '.repeat(80)}`, page],
    ['application/json', '{"help_url":"https://x.example/docs"}', data],
    ['application/json', '{"task_id":"t","audio":"processing"}', data],
    ['application/json', '{"audio":"task_9f3a24c1"}', data],
    ['audio/mpeg', '', 'The gateway returned an empty response.'],
    [
      'text/event-stream',
      'data: {"text":"Hello"}\n\n',
      'Expected audio, received an event stream.',
    ],
  ])('rejects %s: %j', async (type, body, message) => {
    const bench = serveWith(answer(type, body));
    expect(await bench.run('speech', request)).toMatchObject({
      status: 'failed',
      error: { kind: 'malformed-response', message },
      state: { media: null },
    });
  });

  const base64 = sound.toString('base64');
  /** Cuts inside base64 groups, and encodes each chunk separately. */
  const cuts = [base64.slice(0, 30), base64.slice(30, 1001), base64.slice(1001)];
  const parts = [sound.subarray(0, 1000), sound.subarray(1000)].map((part) =>
    part.toString('base64'),
  );
  const events = (pieces: string[], end: string) =>
    [...pieces.map((audio) => JSON.stringify({ type: 'speech.audio.delta', audio })), end]
      .map((data) => `data: ${data}\n\n`)
      .join('');
  const lastEvent = '{"type":"speech.audio.done","usage":{"total_tokens":9}}';

  const document = (value: unknown) => ['application/json', JSON.stringify(value)];
  it.each([
    document({ audio: base64 }),
    document({ audio: `data:audio/wav;base64,${base64}` }),
    document({ data: { audio_base64: base64.replace(/=+$/, '').replace(/.{76}/g, '$&\n') } }),
    document([{ audio: base64 }]),
    document({ audio: [base64] }),
    document({ data: parts.map((audio) => ({ audio })) }),
    document({ result: { url: `data:audio/wav;base64,${base64}` } }),
    document({ audio: { data: base64, id: 'a' } }),
    ['text/event-stream', events(cuts, lastEvent)],
    ['text/event-stream', events(parts, '[DONE]')],
    [
      'text/event-stream',
      events([], JSON.stringify({ type: 'response.audio.delta', delta: base64 })),
    ],
  ])('stores audio from %s %#, without its base64 in the ledger', async (type = '', body = '') => {
    const bench = serveWith(answer(type, body));
    const view = await bench.run('speech', { ...request, response_format: 'wav' });
    expect(view).toMatchObject({
      status: 'succeeded',
      error: null,
      figures: { noResult: null },
      state: {
        receivedFormat: 'wav',
        receivedBytes: sound.length,
        media: { type: 'audio/wav', complete: true, durationSeconds: 2 },
        warnings: [],
      },
    });
    const { events: recorded } = bench.services.ledger.events(view.id, {
      after: 0,
      limit: 2000,
      kinds: ['chunk', 'body'],
    });
    expect(recorded.length).toBeGreaterThan(0);
    expect(JSON.stringify(recorded)).not.toContain(base64.slice(160, 200));
  });

  it('ends with the last event, even if the stream stays open', async () => {
    const bench = await startBench(async ({ send }) => {
      await send(
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      await send(chunk(events(cuts, lastEvent)));
    });
    expect(await bench.run('speech', request)).toMatchObject({
      status: 'succeeded',
      state: { media: { durationSeconds: 2 } },
    });
  });

  it('stores requested raw samples, including from JSON', async () => {
    const audio = Buffer.alloc(4800, 1).toString('base64');
    const bench = serveWith(answer('application/json', JSON.stringify({ audio })));
    const view = await bench.run('speech', { ...request, response_format: 'pcm' });
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { receivedFormat: 'pcm', media: { type: 'audio/pcm', sizeBytes: 4800 }, warnings: [] },
    });
  });

  it('rejects JSON without audio, even if raw samples were requested', async () => {
    const bench = serveWith(answer('application/json', '{"audio":"processing"}'));
    const view = await bench.run('speech', { ...request, response_format: 'pcm' });
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'malformed-response' } });
  });

  const tag = Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1');
  const empty = 'The audio is empty.';
  const damaged = ['The audio is incomplete or damaged.'];
  it.each<[string, Buffer, string | null, string[]]>([
    ['a header without samples', wav({ seconds: 0 }), empty, []],
    ['a tag without audio', tag, empty, []],
    ['a tag followed by padding', Buffer.concat([tag, Buffer.alloc(400)]), empty, []],
    [
      'a tag before bytes that are no audio',
      Buffer.concat([tag, Buffer.alloc(400, 9)]),
      null,
      damaged,
    ],
    ['a truncated header', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), null, damaged],
    ['half of the samples', sound.subarray(0, 16_044), null, damaged],
    ['an MP3 that ends inside of a frame', silentMp3(100).subarray(0, 20_000), null, damaged],
    ['a complete MP3', silentMp3(100), null, []],
    ['a complete WAV of packed samples', packed(), null, []],
  ])('reports empty or damaged audio: %s', async (_name, body, noResult, warnings) => {
    const bench = serveWith(answer('application/octet-stream', body));
    const view = await bench.run('speech', request);
    expect(view.figures?.noResult).toBe(noResult);
    expect(view.state.warnings).toEqual(warnings);
  });

  it('keeps the audio that arrived before the connection broke', async () => {
    const bench = await startBench(async ({ send, socket }) => {
      await send(
        `HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: ${sound.length}\r\n\r\n`,
      );
      await send(sound.subarray(0, 16_044));
      socket.destroy();
    });
    const view = await bench.run('speech', request);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    expect(view.state.media).toMatchObject({ complete: true, sizeBytes: 16_044 });
  });

  it('keeps the audio that arrived before Stop', async () => {
    const bench = await startBench(async ({ send }) => {
      await send('HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: 90000\r\n\r\n');
      await send(sound);
    });
    const runId = await bench.start('speech', request);
    const stateOf = async () => speechState(await bench.services.engine.view(runId));
    await expect.poll(async () => (await stateOf()).media !== null).toBe(true);
    await bench.services.engine.cancel(runId);
    const view = await bench.ended('speech', runId);
    expect(view).toMatchObject({ status: 'cancelled' });
    expect(view.state.media?.complete).toBe(true);
  });
});
