import { describe, expect, it } from 'vitest';
import { findActiveIndex } from '../../renderer/features/transcription/spoken-words.tsx';
import {
  getFormats,
  writeTranscriptFile,
} from '../../renderer/features/transcription/transcript-files.ts';
import { emptyTranscriptionState } from '../../shared/operations/transcription/state.ts';

const spoken = {
  ...emptyTranscriptionState,
  text: 'Mind the step. Welcome.',
  language: 'en',
  durationSeconds: 3725.5,
  segments: [
    { id: 0, start: 0, end: 1.5, text: ' Mind the step.' },
    { id: 1, start: 3723.25, end: 3725.5, text: ' Welcome.' },
  ],
};

describe('saving a transcript', () => {
  it('writes every format', () => {
    expect(writeTranscriptFile(spoken, 'srt')).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nMind the step.\n\n2\n01:02:03,250 --> 01:02:05,500\nWelcome.\n',
    );
    expect(writeTranscriptFile(spoken, 'vtt')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nMind the step.\n\n01:02:03.250 --> 01:02:05.500\nWelcome.\n',
    );
    expect(writeTranscriptFile(spoken, 'txt')).toBe('Mind the step. Welcome.\n');
    const { text, segments } = spoken;
    expect(JSON.parse(writeTranscriptFile(spoken, 'json'))).toMatchObject({ text, segments });
  });

  it('begins each cue with the speaker’s name from the view', () => {
    const segments = [
      { id: 0, start: 0, end: 1, text: ' Hello.', speaker: 'A' },
      { id: 1, start: 1, end: 2, text: ' Hi.', speaker: 'B' },
    ];
    const state = { ...spoken, segments };
    expect(writeTranscriptFile(state, 'srt')).toContain('00:00:01,000\nA: Hello.\n');
    expect(writeTranscriptFile(state, 'vtt', { B: 'Ann & Bo', A: ' ' })).toContain(
      '\nA: Hello.\n\n00:00:01.000 --> 00:00:02.000\nAnn &amp; Bo: Hi.\n',
    );
    expect(JSON.parse(writeTranscriptFile(state, 'json', { A: 'Ann' }))).toMatchObject({
      segments,
    });
  });

  it('escapes the text of a cue', () => {
    const text = 'Is 1 < 2 & 3?\r\n\r\n--> Yes.';
    const odd = { ...spoken, segments: [{ id: 0, start: 0, end: 1, text }] };
    expect(writeTranscriptFile(odd, 'vtt')).toContain('\nIs 1 &lt; 2 &amp; 3?\n--&gt; Yes.\n');
    expect(writeTranscriptFile(odd, 'srt')).toContain('\nIs 1 < 2 & 3?\n--> Yes.\n');
  });

  it('groups words into cues if the gateway sends no segments', () => {
    const words = [
      { word: 'Mind', start: 0, end: 0.5 },
      { word: 'the', start: 0.5, end: 0.7 },
      { word: 'step', start: 6, end: 6.5 },
    ];
    expect(writeTranscriptFile({ ...spoken, segments: [], words }, 'srt')).toContain(
      'Mind the\n\n2\n',
    );
  });

  it('offers subtitles only if the transcript has times', () => {
    expect(getFormats(spoken)).toEqual(['txt', 'srt', 'vtt', 'json']);
    expect(getFormats({ ...spoken, segments: [] })).toEqual(['txt', 'json']);
  });
});

describe('activeAt', () => {
  const items = [0, 1, 3].map((start) => ({ start, end: start + 1 }));
  it.each([
    [0, 0],
    [0.99, 0],
    [1, 1],
    [2.5, -1],
    [3.5, 2],
    [9, -1],
  ])('finds the words spoken at %d s', (seconds, index) => {
    expect(findActiveIndex(items, seconds)).toBe(index);
  });
});
