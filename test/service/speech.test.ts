import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import type { SpeechState } from '../../shared/operations/speech/speech.ts';
import { isRunOf, type RunView } from '../../shared/run-view.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { silentMp3 } from '../fixtures/sounds.ts';
import { chunk, lastChunk, reply, type Script } from '../fixtures/wire-server.ts';

const request: JsonObject = { model: 'tts-1', input: 'Hello there', voice: 'alloy' };

/** Two seconds of 16-bit mono silence at 8 kHz. */
function wav(seconds = 2): Buffer {
  const bytes = Buffer.alloc(44 + seconds * 16_000);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
}

/** IMA ADPCM: many samples in a frame, so that the header has no duration. */
function packed(): Buffer {
  const bytes = wav();
  bytes.writeUInt16LE(0x11, 20);
  bytes.writeUInt16LE(4, 34);
  return bytes;
}

const answer =
  (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Script =>
  ({ send }) =>
    void send(reply('200 OK', { 'Content-Type': type, ...headers }, body));

function speechState(view: RunView): SpeechState {
  if (!isRunOf(view, 'speech')) throw new TypeError(`A run of ${view.operation}`);
  return view.state;
}

describe('speech', () => {
  it('is sent as requested and stored as it came', async () => {
    const bench = await startBench(answer('audio/wav', wav()));
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
      receivedBytes: wav().length,
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
    expect(await bench.services.media.readBytes(id)).toEqual(wav());
    expect(view.timings?.firstDeltaAtMs).not.toBeNull();
  });

  it('can be read while it still grows', async () => {
    const whole = wav();
    let finish: () => void = () => undefined;
    const listened = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const bench = await startBench(async ({ send }) => {
      const head =
        'HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n';
      await send(head);
      await send(chunk(whole.subarray(0, 9000)));
      await listened;
      await send(chunk(whole.subarray(9000)));
      await send(lastChunk);
    });
    const runId = await bench.start('speech', request);
    const stateOf = async () => speechState(await bench.services.engine.view(runId));
    await expect.poll(async () => (await stateOf()).media?.complete).toBe(false);
    const growing = (await stateOf()).media;
    expect(growing).toMatchObject({ kind: 'audio', type: 'audio/wav' });
    expect(bench.services.media.get(growing?.id ?? '')?.sizeBytes).toBe(9000);
    finish();
    const view = await bench.ended('speech', runId);
    expect(view.state.media).toMatchObject({ id: growing?.id, complete: true });
    expect(bench.events(runId, 'media').map(({ media }) => media.complete)).toEqual([false, true]);
  });

  it.each([
    ['another format than requested', 'audio/mpeg', wav(), 'mp3', 'wav', 'Requested mp3'],
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
  ])('says what was received: %s', async (_name, type, bytes, requested, received, warning) => {
    const mixed = Buffer.concat([bytes, Buffer.from([0, 255, 1, 254])]);
    const bench = await startBench(answer(type, mixed));
    const view = await bench.run('speech', { ...request, response_format: requested });
    expect(view.status).toBe('succeeded');
    expect(view.state).toMatchObject({ requestedFormat: requested, receivedFormat: received });
    if (warning === null) expect(view.state.warnings).toEqual([]);
    else expect(view.state.warnings.join()).toContain(warning);
  });

  it.each([
    [
      'a web page with status 200',
      'text/html',
      '<!DOCTYPE html><title>Hi</title>',
      'The gateway returned a web page, not audio.',
    ],
    [
      'a web page declared as sound',
      'audio/mpeg',
      `\n<html>${' '.repeat(80)}`,
      'The gateway returned a web page, not audio.',
    ],
    [
      'JSON that is no error',
      'application/json',
      '{"url":"https://x.example/a.mp3"}',
      'The gateway returned JSON, not audio.',
    ],
    [
      'a word where the sound would be',
      'application/json',
      '{"task_id":"t","audio":"processing"}',
      'The gateway returned JSON, not audio.',
    ],
    [
      'an ID where the sound would be',
      'application/json',
      '{"audio":"task_9f3a24c1"}',
      'The gateway returned JSON, not audio.',
    ],
    ['an empty body', 'audio/mpeg', '', 'The gateway returned an empty response.'],
    [
      'a stream of events',
      'text/event-stream',
      'data: {"text":"Hello"}\n\n',
      'Expected audio, received an event stream.',
    ],
  ])('fails plainly on %s', async (_name, type, body, message) => {
    const bench = await startBench(answer(type, body));
    const view = await bench.run('speech', request);
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind: 'malformed-response', message },
    });
    expect(view.state.media).toBeNull();
  });

  const base64 = wav().toString('base64');
  /** Cut where no letter of base64 ends a byte, and each piece encoded by itself. */
  const cuts = [base64.slice(0, 30), base64.slice(30, 1001), base64.slice(1001)];
  const parts = [wav().subarray(0, 1000), wav().subarray(1000)].map((part) =>
    part.toString('base64'),
  );
  const events = (pieces: string[], end: string) =>
    [...pieces.map((audio) => JSON.stringify({ type: 'speech.audio.delta', audio })), end]
      .map((data) => `data: ${data}\n\n`)
      .join('');
  const lastEvent = '{"type":"speech.audio.done","usage":{"total_tokens":9}}';

  it.each<[string, string, string]>([
    ['a JSON document', 'application/json', JSON.stringify({ audio: base64 })],
    [
      'a data URL',
      'application/json',
      JSON.stringify({ audio: `data:audio/wav;base64,${base64}` }),
    ],
    [
      'base64 with line breaks, without padding',
      'application/json',
      JSON.stringify({
        data: { audio_base64: base64.replace(/=+$/, '').replace(/.{76}/g, '$&\n') },
      }),
    ],
    ['a list of one', 'application/json', JSON.stringify([{ audio: base64 }])],
    ['a list of sounds', 'application/json', JSON.stringify({ audio: [base64] })],
    [
      'a list of pieces',
      'application/json',
      JSON.stringify({ data: parts.map((audio) => ({ audio })) }),
    ],
    [
      'a data URL in place of a link',
      'application/json',
      JSON.stringify({ result: { url: `data:audio/wav;base64,${base64}` } }),
    ],
    ['an object', 'application/json', JSON.stringify({ audio: { data: base64, id: 'a' } })],
    ['a stream of pieces', 'text/event-stream', events(cuts, lastEvent)],
    ['a stream of whole pieces', 'text/event-stream', events(parts, '[DONE]')],
    [
      'a stream that names the piece otherwise',
      'text/event-stream',
      events([], JSON.stringify({ type: 'response.audio.delta', delta: base64 })),
    ],
  ])('is stored from %s, without its base64 in the ledger', async (_name, type, body) => {
    const bench = await startBench(answer(type, body));
    const view = await bench.run('speech', { ...request, response_format: 'wav' });
    expect(view).toMatchObject({
      status: 'succeeded',
      error: null,
      figures: { noResult: null },
      state: {
        receivedFormat: 'wav',
        receivedBytes: wav().length,
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
    expect(JSON.stringify(recorded)).not.toContain('AAAAAAAAAAAAAAAAAAAA');
  });

  it('is whole after the last event, although the stream stays open', async () => {
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

  it('is raw samples where those were requested, also in JSON', async () => {
    const audio = Buffer.alloc(4800, 1).toString('base64');
    const bench = await startBench(answer('application/json', JSON.stringify({ audio })));
    const view = await bench.run('speech', { ...request, response_format: 'pcm' });
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { receivedFormat: 'pcm', media: { type: 'audio/pcm', sizeBytes: 4800 }, warnings: [] },
    });
  });

  it('does not count as audio, even if raw samples were requested', async () => {
    const bench = await startBench(answer('application/json', '{"audio":"processing"}'));
    const view = await bench.run('speech', { ...request, response_format: 'pcm' });
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'malformed-response' } });
  });

  it.each<[string, Buffer, string | null, string[]]>([
    ['a header without samples', wav(0), 'The audio is empty.', []],
    [
      'a tag without audio',
      Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
      'The audio is empty.',
      [],
    ],
    [
      'a tag with padding behind it',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(400)]),
      'The audio is empty.',
      [],
    ],
    [
      'a tag before what is no audio',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(400, 9)]),
      null,
      ['The audio is incomplete or damaged.'],
    ],
    [
      'a header that is cut off',
      Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'),
      null,
      ['The audio is incomplete or damaged.'],
    ],
    [
      'cut off after half of its samples',
      wav().subarray(0, 16_044),
      null,
      ['The audio is incomplete or damaged.'],
    ],
    [
      'an MP3 that is cut off inside of a frame',
      silentMp3(100).subarray(0, 20_000),
      null,
      ['The audio is incomplete or damaged.'],
    ],
    ['a whole MP3', silentMp3(100), null, []],
    ['whole, of packed samples', packed(), null, []],
  ])('says so where it is %s', async (_name, body, noResult, warnings) => {
    const bench = await startBench(answer('application/octet-stream', body));
    const view = await bench.run('speech', request);
    expect(view.figures?.noResult).toBe(noResult);
    expect(view.state.warnings).toEqual(warnings);
  });

  it('keeps the audio that arrived before the connection broke', async () => {
    const whole = wav();
    const bench = await startBench(async ({ send, socket }) => {
      await send(
        `HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: ${whole.length}\r\n\r\n`,
      );
      await send(whole.subarray(0, 16_044));
      socket.destroy();
    });
    const view = await bench.run('speech', request);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    expect(view.state.media).toMatchObject({ complete: true, sizeBytes: 16_044 });
  });

  it('keeps the audio that arrived before Stop', async () => {
    const bench = await startBench(async ({ send }) => {
      await send('HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: 90000\r\n\r\n');
      await send(wav());
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
