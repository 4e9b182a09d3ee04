import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../shared/operations/transcription/transcript.ts';
import { transcriptionOperation } from '../../shared/operations/transcription/transcription.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { body, foldAll } from './support/fold-events.ts';

function read(reply: object | string, soundSeconds: number | null = null) {
  const warnings: string[] = [];
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const transcript = readTranscript(text, soundSeconds, (warning) => warnings.push(warning));
  return { ...transcript, warnings };
}
const segment = (start: number | string, end: number | string, text: string) => ({
  start,
  end,
  text,
});
const hi = segment(0, 1, 'Hi');

describe('a transcript', () => {
  it.each<[string, object]>([
    ['segments', { segments: [segment(1, 2, 'two'), segment(0, 1, 'one')] }],
    ['segments of which some have no time', { segments: [segment(0, 1, 'one'), { text: 'two' }] }],
    ['words', { words: [{ word: 'one', start: 0 }, { word: 'two' }] }],
  ])('reads the text of its %s if it has no other text', (_what, reply) => {
    expect(read(reply).text).toBe('one two');
  });

  it('sorts its segments, even if they overlap', () => {
    const { segments, warnings } = read({
      text: 'One two three.',
      segments: [segment(4, 6, 'three.'), segment(0, 2, 'One'), segment('1.5', '4', 'two')],
    });
    const sorted = segments.map(({ start, end, text }) => `${start} ${end} ${text}`);
    expect(sorted).toEqual(['0 2 One', '1.5 4 two', '4 6 three.']);
    expect(warnings).toEqual(['The segments weren’t in order. Gatehouse sorted them by time.']);
  });

  it.each<[string, object]>([
    ['a wrapper', { data: { text: 'Hi', segments: [hi], language: 'en' } }],
    ['a result beside the text', { text: 'Hi', language: 'en', result: { segments: [hi] } }],
    ['nested segments', { text: 'Hi', language: 'en', segments: [{ segments: [hi] }] }],
    ['a list of lists', { text: 'Hi', language: 'en', segments: [[hi]] }],
  ])('reads %s', (_name, reply) => {
    expect(read(reply)).toMatchObject({
      text: 'Hi',
      language: 'en',
      segments: [hi],
      format: 'verbose_json',
      unreadable: false,
      warnings: [],
    });
  });

  it('converts times to seconds if they can only be milliseconds', () => {
    const words = [{ word: 'The', start: 0, end: 210 }];
    words.push({ word: 'boats', start: 210, end: 700 });
    const { segments, ...rest } = read({
      duration: 4.2,
      segments: [segment(0, 2100, 'The boats are in.'), segment(2100, 4200, 'The gate is shut.')],
      words,
    });
    expect(segments.flatMap(({ start, end }) => [start, end])).toEqual([0, 2.1, 2.1, 4.2]);
    expect(rest).toMatchObject({
      durationSeconds: 4.2,
      words: [{ end: 0.21 }, { end: 0.7 }],
      warnings: ['The timestamps are in milliseconds. Gatehouse converted them to seconds.'],
    });
    const more = [...words, { word: 'are', start: 700, end: 900 }];
    expect(read({ duration: 900, words: more })).toMatchObject({ durationSeconds: 0.9 });
  });

  it.each<[string, number, [start: number, end: number], boolean]>([
    ['one piece', 2.5, [0, 2400], true],
    ['fractions', 2.5, [100.5, 2400.5], true],
    ['speech that ends early', 60, [0, 2100], true],
    ['a sound that is shorter than the times say', 2.5, [0, 12], false],
    ['a few seconds padded to a whole window', 2.5, [0, 29.98], false],
    ['less than a second', 0.9, [0, 10.5], false],
    ['two seconds', 2, [0, 21], false],
    ['the window behind the sound', 2.5, [30, 60], false],
    ['a long silence before a word', 3605, [3600, 3601], false],
    ['times that are no milliseconds either', 2.5, [0, 90_000], false],
  ])(
    'compares times with the duration of the sent audio: %s',
    (_name, soundSeconds, [start, end], isMs) => {
      const times = isMs ? { start: start / 1000, end: end / 1000 } : { start, end };
      const { segments, warnings } = read(
        { segments: [segment(start, end, 'Well.')] },
        soundSeconds,
      );
      expect(segments).toMatchObject([times]);
      expect(warnings).toHaveLength(isMs ? 1 : 0);
    },
  );

  it('keeps a segment’s times when a short sound fills a whole window', () => {
    const segments = [segment(0, 29.98, 'Thank you.')];
    expect(read({ segments, duration: 0.05 })).toMatchObject({ segments, warnings: [] });
  });

  it.each<[string, object[]]>([
    ['slow speech', [segment(0, 30, 'Well.'), segment(30, 60, 'Yes.'), segment(60, 90, 'No.')]],
    ['music', [segment(0, 30, '\u266a'), segment(30, 60, '\u266a'), segment(60, 90, '\u266a')]],
    ['a word after a long silence', [segment(3600, 3601, 'Hello.')]],
    ['fractions', [segment(0, 2100.5, 'The boats are in.')]],
    ['one long piece of music', [segment(0, 300, '[Music]')]],
    ['music alone', [0, 300, 600, 900].map((start) => segment(start, start + 300, '[Music]'))],
    ['turns without text', [0, 90, 180, 270].map((start) => segment(start, start + 90, ''))],
  ])('keeps the times of %s', (_name, segments) => {
    expect(read({ segments }).warnings).toEqual([]);
    expect(read({ segments }).segments).toMatchObject(segments);
    expect(read({ segments, duration: 300 })).toMatchObject({ segments, durationSeconds: 300 });
  });

  it.each<[string, object]>([
    ['statistics', { text: 'hi there', stats: { words: 120, duration: 3, language: 'x' } }],
    ['a list of plain words', { text: 'hi there', model: { words: ['hi', 'there'] } }],
  ])('ignores %s next to the text', (_name, reply) => {
    expect(read(reply)).toMatchObject({
      text: 'hi there',
      format: 'json',
      language: null,
      durationSeconds: null,
      words: [],
      warnings: [],
    });
  });

  it('reads nested segments up to a depth limit', () => {
    const nested = (depth: number) =>
      `{"text":"Hi","segments":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(read(nested(500))).toMatchObject({ text: 'Hi', segments: [] });
    expect(read(nested(5000))).toMatchObject({ text: '', unreadable: true });
  });

  it('reads segments inside segments', () => {
    const segments = { segments: [segment(0, 1, 'x'), segment(1, 2, 'y')] };
    expect(read({ text: 'x y', segments })).toMatchObject({ ...segments, warnings: [] });
  });

  const x = { ...segment(0, 1, 'x'), words: [{ word: 'x', start: 0, end: 1 }] };
  const y = { ...segment(1, 2, 'y'), words: [{ word: 'y', start: 1, end: 2 }] };
  const segments = [segment(0, 1, 'x'), segment(1, 2, 'y')];
  const both = { segments, words: [{ word: 'x' }, { word: 'y' }], warnings: [] };
  it.each<[string, object[], object]>([
    ['all its parts', [[x], [[y]]].map((inner, id) => ({ id, segments: inner })), both],
    ['a part whose segments have no words', [{ words: [...x.words, ...y.words], segments }], both],
    [
      'parts of which some have no times',
      [{ ...x, segments: [y] }, { segments: [] }, { text: 'untimed' }],
      {
        segments: [{ start: 0, text: 'x' }],
        warnings: ['Some segments have no timestamps and were skipped.'],
      },
    ],
    [
      'a part whose own times are null',
      [{ id: 0, start: null, end: null, segments: [segment(0, 1, 'x')] }],
      { segments: [segment(0, 1, 'x')], warnings: [] },
    ],
  ])('reads the words and segments of %s', (_name, given, expected) => {
    expect(read({ text: 'x y', segments: given })).toMatchObject(expected);
  });

  it('reads any wrapper that has no text next to it', () => {
    const spoken = { text: 'Hi', segments: [hi] };
    expect(read({ id: 't', verbose: spoken })).toMatchObject(spoken);
    for (const segments of [spoken.segments, [{ segments: spoken.segments }], [spoken.segments]]) {
      expect(read({ text: 'Hi', times: { segments } })).toMatchObject(spoken);
    }
  });

  it.each<[string, object]>([
    ['{"text":"Alpha Bra', { text: '', unreadable: true }],
    ['[{"text":"Alpha"', { text: '', unreadable: true }],
    ['{"text":NaN}', { text: '', unreadable: true }],
    ['[[]]', { text: '', unreadable: true }],
    ['{"text":"a"}{"text":"b"}', { text: '', unreadable: true }],
    ['[Music] Hello', { text: '[Music] Hello', format: 'text', unreadable: false }],
    ['{laughs} Hello', { text: '{laughs} Hello', format: 'text', unreadable: false }],
    ['42', { text: '42', format: 'text', unreadable: false }],
    ['[BLANK_AUDIO]', { text: '[BLANK_AUDIO]', format: 'text', unreadable: false }],
    ['Hello\0 there\0', { text: 'Hello there' }],
    ['{"text":"Hello"}\0', { text: 'Hello' }],
  ])('distinguishes text from broken JSON: %j', (reply, expected) => {
    expect(read(reply)).toMatchObject(expected);
  });

  it('reads a bare list of segments', () => {
    expect(read([segment(0, 1, 'Hello'), segment(1, 2, 'there')])).toMatchObject({
      text: 'Hello there',
      segments: [{ text: 'Hello' }, { text: 'there' }],
    });
  });
});

describe('the usage in a whole transcription response', () => {
  const response: RunEventBody = { kind: 'response', exchange: 0, status: 200, headers: [] };
  it.each<[object, object]>([
    [
      { input_tokens: 14, output_tokens: 45 },
      { inputTokens: 14, outputTokens: 45 },
    ],
    [{ type: 'duration', seconds: 9 }, { soundSeconds: 9 }],
    [{ seconds: '9.5', cost: 0.01 }, { soundSeconds: 9.5 }],
  ])('reads %j as figures', (usage, quantities) => {
    for (const reply of [
      { text: 'Hi', usage },
      { data: { text: 'Hi', usage } },
      { result: { text: 'Hi' }, usage },
    ]) {
      const state = foldAll(transcriptionOperation, [response, body(reply)]);
      expect(transcriptionOperation.quantities(state, [])).toMatchObject(quantities);
      expect(transcriptionOperation.figures(state).usage).toMatchObject(usage);
    }
  });
});
