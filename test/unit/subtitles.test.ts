import { describe, expect, it } from 'vitest';
import {
  detectSubtitleFormat,
  readSubtitles,
} from '../../shared/operations/transcription/subtitles.ts';

describe('subtitleFormat', () => {
  it.each([
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nHi', 'vtt'],
    ['\uFEFFWEBVTT - a title', 'vtt'],
    ['WEBVTTX', null],
    ['1\n00:00:01,000 --> 00:00:02,000\nHi', 'srt'],
    ['\r\n\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\nHi', 'srt'],
    ['00:01.5 --> 00:02\nHi', 'srt'],
    ['1\nHi', null],
    ['At 00:00:01,000 --> 00:00:02,000', null],
    ['', null],
  ])('recognizes %j', (text, format) => {
    expect(detectSubtitleFormat(text)).toBe(format);
  });
});

describe('readSubtitles', () => {
  const only = (text: string) => readSubtitles(text)[0];

  it.each([
    ['00:00:01,500 --> 00:00:02,250', 1.5, 2.25],
    ['00:01.500 --> 00:02.250', 1.5, 2.25],
    ['0:00:01.5 --> 100:00:02', 1.5, 360_002],
    ['  00:01,5-->00:02,25 position:10%', 1.5, 2.25],
  ])('reads the times of %j', (timing, start, end) => {
    expect(only(`${timing}\nHi`)).toEqual({ id: 0, start, end, text: 'Hi' });
  });

  it.each([
    ['<v Ann Lee>Hello <i>there</i>', 'Hello there'],
    ['<c.loud.red>Now</c> <00:00:01.200>go', 'Now go'],
    ['{\\an8}On top', 'On top'],
    ['a &lt;b&gt; &amp;amp;', 'a <b> &amp;'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['- One\n- Two', '- One - Two'],
  ])('reads the text of %j', (text, read) => {
    expect(only(`00:01.000 --> 00:02.000\n${text}`)?.text).toBe(read);
  });

  const at = (from: number) => `00:0${from},0 --> 00:0${from + 1},0`;
  it.each([
    [
      'numbers, or positions',
      `7\n${at(1)}\nA\n\nintro\n${at(2)}\nB\n\n${at(3)}\nC`,
      '7 A, 1 B, 2 C',
    ],
    [
      'no notes, styles and headers',
      `WEBVTT\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nby hand\n\n${at(1)}\nHi\n`,
      '0 Hi',
    ],
    ['cues without a blank line between', `1\n${at(1)}\nA\n2\n${at(2)}\nB`, '1 A, 2 B'],
    ['an empty cue and one at the end', `${at(1)}\n\n${at(2)}`, '0 , 1 '],
  ])('reads %s', (_what, text, cues) => {
    expect(
      readSubtitles(text)
        .map(({ id, text }) => `${id} ${text}`)
        .join(', '),
    ).toBe(cues);
  });
});
