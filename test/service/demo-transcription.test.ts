import { describe, expect, it } from 'vitest';
import { wav } from '../fixtures/sounds.ts';
import { countWordErrors } from '../fixtures/word-errors.ts';
import { KEY, readJson, shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

type Fields = [string, string][];
const authorization = `Bearer ${KEY}`;
const transcribe = (
  fields: Fields,
  file: Blob | null,
  name = 'note.wav',
  model = 'demo-transcribe',
) => {
  const form = new FormData();
  for (const [field, value] of [['model', model], ...fields] as Fields) {
    form.append(field, value);
  }
  if (file) form.append('file', file, name);
  return fetch(`${client.gateway.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
};

const tone = (seconds: number) => new Blob([new Uint8Array(wav({ seconds }))]);

describe('a recording', () => {
  it.each([1, 125])('fills %s seconds with segments and words to the end', async (seconds) => {
    const body = await readJson(
      await transcribe(
        [
          ['response_format', 'verbose_json'],
          ['timestamp_granularities[]', 'word'],
          ['timestamp_granularities[]', 'segment'],
        ],
        tone(seconds),
      ),
    );
    expect(body).toMatchObject({ task: 'transcribe', language: 'en', duration: seconds });
    expect(body.text).toMatch(/simulated/i);
    expect(body.segments[0]).toMatchObject({ id: 0, start: 0 });
    expect(body.segments.at(-1).end).toBeCloseTo(seconds, 2);
    expect(body.words.at(-1).end).toBeCloseTo(seconds, 2);
    expect(body.segments.length).toBeLessThanOrEqual(Math.ceil(seconds / 4));
    expect(body.segments.length).toBeGreaterThanOrEqual(seconds / 8);
    for (const [index, word] of body.words.entries()) {
      expect(word.end).toBeGreaterThan(word.start);
      expect(word.start).toBe(body.words[index - 1]?.end ?? 0);
    }
    expect(body.words.map(({ word }: { word: string }) => word).join(' ')).toBe(body.text);
  });

  it('returns a transcript in every format', async () => {
    const as = (format: string) => transcribe([['response_format', format]], tone(7));
    expect((await readJson(await as('json'))).text).toContain('note.wav');
    expect(await (await as('text')).text()).toContain('note.wav');
    expect(await (await as('srt')).text()).toMatch(/^1\n00:00:00,000 --> 00:00:07,000\nThis/);
    expect(await (await as('vtt')).text()).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:07/);
  });

  it('returns speakers as diarized_json, including in a stream of deltas', async () => {
    const diarized: Fields = [['response_format', 'diarized_json']];
    const { segments, text } = await readJson(await transcribe(diarized, tone(20)));
    expect(segments[0]).toMatchObject({ id: 'seg_001', start: 0, speaker: 'A' });
    expect(segments[1]).toMatchObject({ id: 'seg_002', speaker: 'B' });
    const stream = await transcribe([...diarized, ['stream', 'true']], tone(20));
    const events = (await stream.text())
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map((event) => JSON.parse(event.slice('data: '.length)));
    const deltas = events.flatMap(({ delta }) => delta ?? []);
    expect(deltas.join('').trim()).toBe(text);
    expect(events.filter(({ type }) => type === 'transcript.text.segment')).toEqual(segments);
    expect(events.at(-1)).toEqual({ type: 'transcript.text.done', text });
  });

  it.each(['timestamp_granularities', 'timestamp_granularities[]'])(
    'returns words for %s',
    async (name) => {
      const fields: Fields = [
        ['response_format', 'verbose_json'],
        [name, 'word'],
      ];
      const body = await readJson(await transcribe(fields, tone(3)));
      expect(body.words.length).toBeGreaterThan(3);
      expect(body).not.toHaveProperty('segments');
    },
  );
});

describe('demo-transcribe-N', () => {
  const timed: Fields = [
    ['response_format', 'verbose_json'],
    ['timestamp_granularities', 'word'],
  ];
  const hear = async (model: string, file: Blob, fields: Fields = timed) =>
    readJson(await transcribe(fields, file, 'note.wav', model));

  it.each(['mp3', 'wav'])(
    'recognizes the words of demo-speech from its audio as %s',
    async (format) => {
      const input = `This was really said in ${format}.\nNobody listened, and yet it is known!`;
      const spoken = await client.post('/v1/audio/speech', {
        model: format === 'mp3' ? 'demo-speech-phone' : 'demo-speech',
        input,
        response_format: format,
      });
      const file = await spoken.blob();
      const said = input.replace('\n', ' ');
      const { text, duration, words } = await hear('demo-transcribe-0', file);
      expect(text).toBe(said);
      expect(words.at(-1).end).toBeCloseTo(duration, 2);
      const heard = await hear('demo-transcribe-20', file);
      expect(countWordErrors(said, heard.text)).toBe(Math.round(said.split(' ').length * 0.2));
      expect((await hear('demo-transcribe', file)).text).toBe(said);
    },
  );

  it.each(['101', '-1', '05', '2.5', ''])(
    'accepts integer percentages from 0 to 100, not “%s”',
    async (rate) => {
      const response = await transcribe([], tone(1), 'note.wav', `demo-transcribe-${rate}`);
      expect([response.status, (await readJson(response)).error.param]).toEqual([404, 'model']);
    },
  );
});

describe('a form', () => {
  it.each([
    ['no file', [], null],
    ['an empty file', [], new Blob([])],
    ['a text file named .wav', [], new Blob(['These are words, not sounds.\n'.repeat(100)])],
    ['an image', [], new Blob([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')])],
    ['a WAV without samples', [], tone(0)],
    ['a damaged FLAC', [], new Blob(['fLaC', new Uint8Array(60)])],
  ] as [string, Fields, Blob | null][])(
    'answers 400 and names the file for a form with %s',
    async (_name, fields, file) => {
      const response = await transcribe(fields, file);
      expect([response.status, (await readJson(response)).error.param]).toEqual([400, 'file']);
    },
  );

  it('answers 400 to an invalid or truncated form', async () => {
    expect((await client.post('/v1/audio/transcriptions', {})).status).toBe(400);
    const cut = await fetch(`${client.gateway.baseUrl}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF',
    });
    expect([cut.status, (await readJson(cut)).error.message]).toEqual([
      400,
      'The multipart/form-data body is malformed.',
    ]);
  });
});
