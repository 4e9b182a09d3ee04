import { describe, expect, it } from 'vitest';
import { transcriptionOperation } from '../../shared/operations/transcription/transcription.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { body, chunk, finish, foldAll } from './support/fold-events.ts';

const response: RunEventBody = { kind: 'response', exchange: 0, status: 200, headers: [] };

const request = (text: string): RunEventBody => ({
  kind: 'request',
  exchange: 0,
  method: 'POST',
  headers: [],
  body: text,
  url: 'http://gateway.example/v1',
});

function stream(...pieces: unknown[]) {
  const chunks = pieces.map((piece) => chunk(piece));
  return foldAll(transcriptionOperation, [response, ...chunks, chunk('[DONE]'), finish]);
}

const vllm = (content: string | null, finish_reason: string | null = null) => ({
  object: 'transcription.chunk',
  choices: [{ delta: { content }, finish_reason }],
});
const delta = (text: string) => ({ type: 'transcript.text.delta', delta: text });
const done = (text: string) => ({ type: 'transcript.text.done', text });
const segment = (id: number, text: string, speaker?: string) => ({
  type: 'transcript.text.segment',
  id: `seg_${id}`,
  start: id,
  end: id + 1,
  text,
  ...(speaker !== undefined && { speaker }),
});

describe('a streamed transcript', () => {
  it.each<[string, unknown[], string]>([
    [
      'chunks of choices, whose parts of the audio end each',
      [vllm(' My'), vllm(' dear'), vllm('', 'stop'), vllm(' Watson'), vllm('.', 'stop')],
      'My dear Watson.',
    ],
    ['a chunk without content, and usage', [vllm('Hi'), vllm(null), { choices: [] }], 'Hi'],
    ['deltas', [delta('Hel'), delta('lo')], 'Hello'],
    ['deltas and the whole text', [delta('Hel'), delta('lo'), done('Hello.')], 'Hello.'],
    ['only the whole text', [done('Hello.')], 'Hello.'],
    [
      'a correction',
      [delta('Helo their friend'), done('Hello, their friend')],
      'Hello, their friend',
    ],
    ['a shorter final text', [delta('One two three.'), done('three.')], 'One two three.'],
    ['an empty final text', [delta('One two three.'), done('')], 'One two three.'],
    [
      'a final text per part of the audio',
      [delta('One two.'), done('One two.'), delta(' Five six.'), done('Five six.')],
      'One two. Five six.',
    ],
    [
      'a final text that never streamed',
      [delta('The gate is open.'), done('Mind a step!')],
      'The gate is open. Mind a step!',
    ],
    ['texts of segments', [{ text: 'Yes.' }, { text: 'Yes.' }, { text: 'No.' }], 'Yes. Yes. No.'],
    ['all text so far', [{ text: 'One' }, { text: 'One two' }, { text: 'One two.' }], 'One two.'],
    ['plain segments', ['One two.', 'Three four.', '42'], 'One two. Three four. 42'],
    ['plain deltas', ['One', ' two', '.'], 'One two.'],
    ['plain deltas that begin inside a word', ['He', 'llo', ' there'], 'Hello there'],
    ['text as JSON', ['"One"', '" two"'], 'One two'],
    [
      'segments of a script without spaces',
      [{ text: '你好。' }, { text: '再见。' }],
      '你好。再见。',
    ],
    [
      'two events',
      [`${JSON.stringify(delta('One'))}\n${JSON.stringify(delta(' two'))}`],
      'One two',
    ],
  ])('joins the text of %s', (_name, pieces, text) => {
    const state = stream(...pieces);
    expect(state.text).toBe(text);
    expect(state.warnings).toEqual([]);
  });

  it('reads segments with speakers, and joins their text if the stream has none', () => {
    const pieces = [segment(0, 'Hello.', 'A'), segment(1, 'Hi there.', 'B')];
    const segments = [
      { id: 'seg_0', start: 0, end: 1, text: 'Hello.', speaker: 'A' },
      { id: 'seg_1', start: 1, end: 2, text: 'Hi there.', speaker: 'B' },
    ];
    const text = 'Hello. Hi there.';
    const expected = { segments, text, format: 'diarized_json' };
    expect(stream(...pieces)).toMatchObject(expected);
    const mixed = [delta('Hello.'), pieces[0], delta('Hi there.'), pieces[1], done(text)];
    expect(stream(...mixed)).toMatchObject(expected);
    expect(stream(...mixed.slice(0, -1))).toMatchObject(expected);
  });

  const said = (start: number, text: string, end = start + 1) => ({ start, end, text });
  const [one, two] = [said(0, 'One'), said(1, 'two.')];
  const document = (segment: typeof one) => ({
    task: 'transcribe',
    duration: 2,
    text: segment.text,
    segments: [segment],
  });
  it.each<[string, unknown[]]>([
    ['one per event', [said(0, ' One'), said(1, ' two.')].map((line, id) => ({ id, ...line }))],
    ['in a document per event', [one, two].map(document)],
    ['in a wrapper', [{ segment: one }, { data: two }]],
    ['with lists', [one, two].map(({ text, start, end }) => ({ text, timestamp: [start, end] }))],
    [
      'again and longer, and repeated at the end',
      [said(0, 'O', 0.5), one, two, { ...done('One two.'), segments: [one, two] }],
    ],
    ['out of order', [two, one]],
    ['as WebVTT', ['WEBVTT\n\n00:00.000 --> 00:01.000\nOne\n', '00:01.000 --> 00:02.000\ntwo.\n']],
  ])('reads segments %s', (_name, pieces) => {
    const { segments, text, warnings } = stream(...pieces);
    const read = segments.map(({ start, end, text: words }) => `${start} ${end} ${words}`);
    expect(read).toEqual(['0 1 One', '1 2 two.']);
    expect(text).toBe('One two.');
    expect(warnings).toEqual([]);
  });

  it('keeps two speakers who say the same thing at once, and a repeated segment’s ID', () => {
    const [yes, no] = [said(0, 'Yes.'), said(1, 'No.')];
    const pieces = [{ ...yes, speaker: 'A' }, { ...yes, speaker: 'B' }, no, no, yes];
    expect(stream(...pieces).segments).toEqual([
      { ...yes, id: 0, speaker: 'A' },
      { ...yes, id: 1, speaker: 'B' },
      { ...no, id: 2 },
    ]);
  });

  it('converts milliseconds, even in segments that arrived before the first long one', () => {
    const sound = JSON.stringify({ files: [{ durationSeconds: 4 }] });
    const pieces = [said(0, 'Word', 50), said(50, 'Word', 2100), said(2100, 'Word', 4000)];
    const events = [request(sound), response, ...pieces.map((piece) => chunk(piece))];
    const { segments } = foldAll(transcriptionOperation, events);
    expect(segments.map(({ end }) => end)).toEqual([0.05, 2.1, 4]);
  });

  it('keeps language, duration and usage, and each event as received', () => {
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 9, total_tokens: 23 };
    const last = { ...done('Hi'), usage };
    const state = stream({ language: 'en', duration: 3 }, delta('Hi'), last);
    expect(state).toMatchObject({ language: 'en', text: 'Hi' });
    expect(state.usage).toEqual(usage);
    expect(state.raw).toContain(JSON.stringify(last));
  });

  it('reports an unclear end after a final text', () => {
    const rest = (...pieces: unknown[]) => transcriptionOperation.rest(stream(...pieces), {});
    expect(rest(delta('Hi'))).toBe('more');
    expect(rest(delta('Hi'), done('Hi.'))).toBe('unclear');
  });

  it('reads a body that isn’t labeled as an event stream', () => {
    const text = `data: ${JSON.stringify(delta('One'))}\n\ndata: ${JSON.stringify(delta(' two'))}\n\ndata: [DONE]\n\n`;
    const state = foldAll(transcriptionOperation, [response, body(text)]);
    expect(state).toMatchObject({ text: 'One two', raw: text });
  });

  it('reads a body with one segment per line', () => {
    const lines = [{ language: 'en', duration: 2 }, one, two];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const state = foldAll(transcriptionOperation, [response, body(text)]);
    expect(state).toMatchObject({ text: 'One two.', language: 'en', raw: text });
    expect(state.segments.map(({ id, start }) => `${id} ${start}`)).toEqual(['0 0', '1 1']);
  });
});

describe('a whole transcript', () => {
  const fold = (requested: string, reply: object) => {
    const fields = JSON.stringify({ fields: [['response_format', requested]] });
    return foldAll(transcriptionOperation, [request(fields), response, body(reply)]);
  };

  it('reads chunks with timestamps as segments', () => {
    const chunks = [
      { text: ' One', timestamp: [0, 1.5] },
      { text: ' two.', timestamp: [1.5, null], speaker: 'SPEAKER_00' },
    ];
    expect(fold('diarized_json', { text: ' One two.', chunks })).toMatchObject({
      text: 'One two.',
      segments: [
        { start: 0, end: 1.5, text: 'One' },
        { start: 1.5, end: 1.5, text: 'two.', speaker: 'SPEAKER_00' },
      ],
      warnings: [],
    });
  });

  it.each<[string, object, string[]]>([
    ['verbose_json', { text: 'Hi', segments: [{ start: 0, end: 1, text: 'Hi', speaker: 0 }] }, []],
    ['diarized_json', { text: '', duration: 1, segments: [] }, []],
    [
      'diarized_json',
      { text: 'Hi', segments: [{ start: 0, end: 1, text: 'Hi' }] },
      ['Requested diarized_json, received verbose_json.'],
    ],
  ])(
    'warns about the format only if it differs from the request: %s %j',
    (requested, reply, warnings) => {
      expect(fold(requested, reply).warnings).toEqual(warnings);
    },
  );
});
