/** Plays other tools' transcription bug reports, stored in test/fixtures/wire/cases. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import { jsonObjectSchema } from '../../shared/json-schema.ts';
import { createMediaReference } from '../../shared/media.ts';
import type { RunView } from '../../shared/run-view.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { always, chunk, jsonReply, lastChunk, reply, streamHead } from '../fixtures/wire-server.ts';

const caseSchema = z.object({
  input: z.object({ request: z.object({ model: z.string() }), extraBody: jsonObjectSchema }),
  replies: z.tuple([
    z.object({
      status: z.number(),
      headers: z.record(z.string(), z.string()),
      body: z.object({ text: z.string() }),
    }),
  ]),
});

async function play(name: string): Promise<RunView<'transcription'>> {
  const file = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
  const { input, replies } = caseSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const [{ status, headers, body }] = replies;
  const bench = await startBench(always(reply(`${status} OK`, headers, body.text)));
  const sound = await bench.store('a.wav', 'audio/wav', wav({ sampleRate: 16_000 }));
  const request = { ...input.request, file: createMediaReference(sound) };
  return bench.run('transcription', request, input.extraBody);
}

describe('transcription bug reports of other tools', () => {
  it('reads the speakers of diarized segments', async () => {
    expect(await play('diarized')).toMatchObject({
      status: 'succeeded',
      state: {
        format: 'diarized_json',
        segments: [
          { id: 'seg_001', start: 0, end: 0.4, text: 'Hello.', speaker: 'A' },
          { id: 'seg_002', start: 0.5, end: 1, text: 'Hi there.', speaker: 'B' },
        ],
        warnings: [],
      },
    });
  });

  it('joins the text of a vLLM stream without a warning', async () => {
    expect(await play('vllm-stt-stream')).toMatchObject({
      status: 'succeeded',
      state: { text: 'My dear Watson.', warnings: [] },
    });
  });
});

describe('the request', () => {
  async function sent(request: JsonObject): Promise<string> {
    const bench = await startBench(always(jsonReply({ text: 'Hi' })));
    const file = createMediaReference(await bench.store('a.wav', 'audio/wav', wav()));
    await bench.run('transcription', { model: 't', file, ...request });
    return bench.server.requests[0] ?? '';
  }

  it('sends `stream` as a field', async () => {
    const form = await sent({ response_format: 'diarized_json', stream: true });
    expect(form).toContain('name="stream"\r\n\r\ntrue\r\n');
    expect(form).toContain('name="response_format"\r\n\r\ndiarized_json\r\n');
  });

  it('spells timestamp fields with brackets if both granularities are selected', async () => {
    const form = await sent({ timestamp_granularities: ['word', 'segment'] });
    expect(form).toContain('name="timestamp_granularities[]"\r\n\r\nword\r\n');
    expect(form).toContain('name="timestamp_granularities[]"\r\n\r\nsegment\r\n');
    expect(form).not.toContain('name="timestamp_granularities"');
  });
});

it('shows the text while it streams', async () => {
  const shown = Promise.withResolvers<void>();
  const bench = await startBench(async ({ send }) => {
    await send(streamHead);
    await send(chunk('data: {"type":"transcript.text.delta","delta":"One"}\n\n'));
    await shown.promise;
    await send(chunk('data: {"type":"transcript.text.done","text":"One two."}\n\n'));
    await send(lastChunk);
  });
  const file = createMediaReference(await bench.store('a.wav', 'audio/wav', wav()));
  const runId = await bench.start('transcription', { model: 't', file, stream: true });
  const text = async () => {
    const view = await bench.services.engine.view(runId);
    return view.operation === 'transcription' ? view.state.text : null;
  };
  await expect.poll(text).toBe('One');
  shown.resolve();
  expect((await bench.ended('transcription', runId)).state.text).toBe('One two.');
});
