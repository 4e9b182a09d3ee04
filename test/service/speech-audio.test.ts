/** Plays audio in the shapes that gateways send: several files, hex, a URL, with usage. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import { MORE_AUDIO } from '../../shared/operations/response/values.ts';
import { serveScript, shareBench, testKey } from '../fixtures/run-operation.ts';
import { silentMp3, wav } from '../fixtures/sounds.ts';
import { notedPauses } from '../fixtures/video-run.ts';
import { always, jsonReply, reply, type Script, streaming } from '../fixtures/wire-server.ts';

const { polling, pauses } = notedPauses();
const serveWith = await shareBench({ polling });

const request: JsonObject = { model: 'tts-1', input: 'Hello there', voice: 'alloy' };
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const events = (values: unknown[]) =>
  streaming(...values.map((value) => `data: ${JSON.stringify(value)}\n\n`));
const wavReply = (bytes: Uint8Array) =>
  always(reply('200 OK', { 'Content-Type': 'audio/wav' }, bytes));

/** Three seconds of audio in three files. The second has no length, as in a stream. */
const files = [wav(), wav({ claimedBytes: 0xffff_ffff }), wav()];
const joined = wav();
const samples = joined.subarray(44);

describe('several WAV files in a row', () => {
  it.each<[string, Script]>([
    ['in a body', wavReply(Buffer.concat(files))],
    [
      'in events',
      events([
        ...files.map((file) => ({ type: 'speech.audio.delta', audio: base64(file) })),
        { type: 'speech.audio.done' },
      ]),
    ],
    [
      'in events without padding',
      events(
        files.map((file) => ({
          type: 'speech.audio.delta',
          audio: base64(file).replace(/=+$/, ''),
        })),
      ),
    ],
    ['in a list', always(jsonReply({ data: files.map((file) => ({ audio: base64(file) })) }))],
  ])('joins WAV files into one with all samples: %s', async (_name, script) => {
    const bench = serveWith(script);
    const view = await bench.run('speech', { ...request, response_format: 'wav' });
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { warnings: [], media: { type: 'audio/wav', durationSeconds: 3, complete: true } },
    });
    const stored = await bench.services.media.readBytes(view.state.media?.id ?? '');
    expect(stored.subarray(44)).toEqual(Buffer.concat([samples, samples, samples]));
    expect([stored.readUInt32LE(4), stored.readUInt32LE(40)]).toEqual([
      stored.length - 8,
      stored.length - 44,
    ]);
  });

  it('joins WAV files in a spoken chat answer', async () => {
    const deltas = files.map((file) => ({
      choices: [{ index: 0, delta: { audio: { id: 'a', data: base64(file) } } }],
    }));
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const bench = serveWith(events([...deltas, end]));
    const view = await bench.run('chat', {
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Speak' }],
    });
    expect(view).toMatchObject({ status: 'succeeded', state: { warnings: [] } });
    expect(view.media).toMatchObject([{ type: 'audio/wav', durationSeconds: 3 }]);
  });

  it('plays up to the first file in another format, with a warning', async () => {
    const parts = [wav({ claimedBytes: 2_000_000_000 }), wav({ sampleRate: 16_000 })];
    const bench = serveWith(wavReply(Buffer.concat(parts)));
    const view = await bench.run('speech', request);
    expect(view.state).toMatchObject({ warnings: [MORE_AUDIO], media: { durationSeconds: 1 } });
  });
});

it.each([0, 0xffff_ffff, 0x7fff_ffff, 2_000_000_000, 0x7fff_f000])(
  'replaces the placeholder length %d in a WAV header',
  async (claimedBytes) => {
    const bench = serveWith(wavReply(wav({ claimedBytes })));
    const view = await bench.run('speech', request);
    expect(view.state).toMatchObject({ warnings: [], media: { durationSeconds: 1 } });
    const stored = await bench.services.media.readBytes(view.state.media?.id ?? '');
    expect(stored).toEqual(joined);
  },
);

describe('hex instead of base64', () => {
  const mp3 = silentMp3(100);
  const hex = mp3.toString('hex');
  const piece = (audio: string, status: number) => ({ data: { audio, status }, trace_id: 'x' });
  it.each<[string, Script]>([
    ['in JSON', always(jsonReply({ ...piece(hex, 2), base_resp: { status_code: 0 } }))],
    [
      'in events, whose last one repeats the audio',
      events([piece(hex.slice(0, 4000), 1), piece(hex.slice(4000), 1), piece(hex, 2)]),
    ],
    ['in two events that differ only in status', events([piece(hex, 1), piece(hex, 2)])],
  ])('reads hex %s', async (_name, script) => {
    const bench = serveWith(script);
    const view = await bench.run('speech', request);
    expect(view).toMatchObject({ state: { receivedFormat: 'mp3', warnings: [] } });
    const stored = await bench.services.media.readBytes(view.state.media?.id ?? '');
    expect(stored).toEqual(mp3);
  });
});

describe('a response with the audio’s URL', () => {
  const isDownload = (head: string) => head.startsWith('GET ');

  /** Runs speech. If `isOwn`, the gateway serves the audio file itself. */
  async function runWith(answer: (address: string) => unknown, isOwn: boolean) {
    const serve: Script = async ({ request: head, send }) => {
      const body = jsonReply(answer(isOwn ? '/files/a.wav' : `${storage.url}/files/a.wav?sig=1`));
      await send(isDownload(head) ? reply('200 OK', {}, joined) : body);
    };
    const storage = await serveScript(serve);
    const bench = serveWith(serve);
    const view = await bench.run('speech', { ...request, response_format: 'wav' });
    expect(view).toMatchObject({
      status: 'succeeded',
      error: null,
      state: { receivedFormat: 'wav', warnings: [], media: { durationSeconds: 1 } },
    });
    return (isOwn ? bench.server : storage).requests.filter(isDownload);
  }

  it.each<[string, (address: string) => unknown]>([
    ['url', (url) => ({ url })],
    ['audio_url', (url) => ({ id: 'x', audio_url: url, image_url: 'https://x.example/a.png' })],
    [
      'output.audio.url',
      (url) => ({ output: { audio: { data: '', url }, finish_reason: 'stop' } }),
    ],
    ['data.audio', (url) => ({ data: { audio: url, status: 2 }, base_resp: { status_code: 0 } })],
    ['output', (url) => ({ urls: { get: 'https://x.example/p/1' }, output: [url] })],
  ])('downloads the audio without the key: %s', async (_name, answer) => {
    const [download = ''] = await runWith(answer, false);
    expect(download).toContain('GET /files/a.wav?sig=1');
    expect(download).not.toContain(testKey);
  });

  it('downloads the audio with the key from the gateway itself', async () => {
    const [download] = await runWith((url) => ({ audio: { url } }), true);
    expect(download).toContain(`Bearer ${testKey}`);
  });

  it('reports that the audio is ready if the download fails', async () => {
    const bench = serveWith(async ({ request: head, send }) => {
      const gone = reply('404 Not Found', {}, 'gone');
      await send(isDownload(head) ? gone : jsonReply({ audio_url: '/files/a.wav' }));
    });
    const { length } = pauses;
    const view = await bench.run('speech', request);
    expect(pauses.slice(length)).toEqual([1000, 2000, 4000]);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'not-found' } });
    expect(view.error?.message).toContain('The audio is ready, but its download link has expired');
  });
});

it('keeps the usage of the last event', async () => {
  const usage = { input_tokens: 14, output_tokens: 101, total_tokens: 115 };
  const bench = serveWith(
    events([
      { type: 'speech.audio.delta', audio: base64(joined) },
      { type: 'speech.audio.done', usage },
    ]),
  );
  const view = await bench.run('speech', request);
  expect(view.figures?.usage).toEqual(usage);
});

const caseSchema = z.object({
  replies: z.tuple([z.object({ body: z.object({ text: z.string() }) })]),
});

it('fails with the reason of a MiniMax response (minimax-error)', async () => {
  const file = new URL('../fixtures/wire/cases/minimax-error.json', import.meta.url);
  const [minimax] = caseSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).replies;
  const bench = serveWith(always(jsonReply(minimax.body.text)));
  const view = await bench.run('speech', { ...request, response_format: 'mp3' });
  expect(view).toMatchObject({
    status: 'failed',
    error: { gateway: { message: 'insufficient balance', code: '1008' } },
    state: { media: null },
  });
  expect(view.error?.message).toContain('insufficient balance');
});
