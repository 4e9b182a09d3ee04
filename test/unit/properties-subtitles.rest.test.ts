import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeTranscriptFile } from '../../renderer/features/transcription/transcript-files.ts';
import { emptyTranscriptionState } from '../../shared/operations/transcription/state.ts';
import {
  detectSubtitleFormat,
  readSubtitles,
} from '../../shared/operations/transcription/subtitles.ts';
import { inputs } from '../fixtures/property.ts';

const STAMP = '00:00:01.500 --> 00:00:02.000';
/** Generates plain text and text with a special meaning in subtitles. */
const said = fc
  .array(
    fc.constantFrom(
      ...['Mind', 'the step', ' ', '\n', '\n\n', '\r\n', '1', 'NOTE', 'WEBVTT', 'STYLE', '…', '😀'],
      ...['<', '>', '&', '&amp;', '<i>', '-->', STAMP],
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(''));
const segments = fc
  .array(
    fc.record({ start: fc.nat({ max: 400_000_000 }), length: fc.nat({ max: 9999 }), text: said }),
    { minLength: 1, maxLength: 5 },
  )
  .map((cues) =>
    cues.map(({ start, length, text }, id) => ({
      id,
      start: start / 1000,
      end: (start + length) / 1000,
      text,
    })),
  );

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
const save = (
  format: 'vtt' | 'srt',
  given: typeof emptyTranscriptionState.segments,
  lineEnd: string,
) =>
  writeTranscriptFile({ ...emptyTranscriptionState, segments: given }, format).replaceAll(
    '\n',
    lineEnd,
  );

it('reads back a transcript that was saved as WebVTT', () => {
  fc.assert(
    fc.property(segments, lineEnds, (given, lineEnd) => {
      const file = save('vtt', given, lineEnd);
      expect(detectSubtitleFormat(file)).toBe('vtt');
      expect(readSubtitles(file).map(({ start, end, text }) => ({ start, end, text }))).toEqual(
        given.map(({ start, end, text }) => ({ start, end, text: flat(text) })),
      );
    }),
    inputs(1500),
  );
});

it('reads back a transcript that was saved as SubRip, except for tag characters', () => {
  const plain = segments.map((cues) =>
    cues.map((cue) => ({ ...cue, text: cue.text.replace(/[<>&]/g, '') })),
  );
  fc.assert(
    fc.property(plain, lineEnds, (given, lineEnd) => {
      const file = save('srt', given, lineEnd);
      expect(detectSubtitleFormat(file)).toBe('srt');
      expect(readSubtitles(file)).toEqual(
        given.map(({ id, start, end, text }) => ({ id: id + 1, start, end, text: flat(text) })),
      );
    }),
    inputs(1500),
  );
});

it('reads any text in time order, without tags', () => {
  const line = fc.constantFrom(
    ...['1', '', ' ', STAMP, '00:01,5-->00:02', '<v Ann>Hi</v>', 'Hi', 'NOTE', '-->'],
    '99999999999999999999:00:00 --> 0:0',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), lineEnds, (lines, lineEnd) => {
      const cues = readSubtitles(lines.join(lineEnd));
      expect(cues).toEqual(readSubtitles(lines.join('\n')));
      for (const { start, end, text } of cues) {
        expect([start, end].every(Number.isFinite)).toBe(true);
        expect(text).not.toContain('<v');
      }
    }),
    inputs(800),
  );
});
