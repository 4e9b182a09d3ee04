import { describe, expect, it } from 'vitest';
import { toMicrophoneError } from '../../renderer/media/capture/microphone.ts';
import {
  anything,
  audio,
  checkFile,
  checkMedia,
  images,
  type MediaFilter,
} from '../../renderer/media/uploads/media-filter.ts';
import { getWireAudioFormat } from '../../renderer/media/uploads/to-wire-audio.ts';
import { findUrlProblem } from '../../renderer/media/uploads/upload-controls.tsx';
import type { Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';

const file = (name: string, type: string, size = 10) => ({ name, type, size });
const both: MediaFilter = {
  kinds: ['image', 'audio'],
  words: 'an image or an audio file',
  maxBytes: null,
  contents: 'an image or audio',
  extensions: [...images.extensions, ...audio.extensions],
};

describe('a file filter', () => {
  it.each<[string, ReturnType<typeof file>, MediaFilter, boolean]>([
    ['its declared type', file('a', 'image/x-unheard'), images, true],
    ['its extension, whatever the case', file('A.WAV', ''), audio, true],
    ['neither, as the bytes will tell', file('a', ''), images, true],
    ['another type', file('a.txt', 'text/plain'), images, false],
    ['another extension', file('a.docx', ''), both, false],
    ['anything at all', file('a.docx', ''), anything, true],
    ['nothing in it', file('a.png', 'image/png', 0), images, false],
    ['more than the limit', file('a.png', 'image/png', 11), { ...images, maxBytes: 10 }, false],
  ])('checks a file by %s', (_, given, filter, fits) => {
    expect(checkFile(given, filter) === null).toBe(fits);
  });

  it.each<[string, Partial<Media>, MediaFilter, string | undefined]>([
    [
      'text',
      { type: 'text/plain', name: 'voice.wav' },
      both,
      '“voice.wav” contains text, not an image or audio.',
    ],
    ['audio', { kind: 'audio' }, both, undefined],
    ['text for any filter', { type: 'text/plain' }, anything, undefined],
    ['video with audio', { kind: 'video', channels: 2 }, audio, undefined],
    ['silent video', { kind: 'video', name: 's.mp4' }, audio, '“s.mp4” has no audio track.'],
  ])('checks the content of %s', (_name, fields, filter, message) => {
    expect(checkMedia(medium(fields), filter)?.message).toBe(message);
  });
});

describe('an address for the gateway', () => {
  it.each([
    ['https://example.com/a.png', null],
    ['http://10.0.0.2/a', null],
    ['data:image/png;base64,AAAA', null],
    ['data:image/png;base64,', 'This data URL is empty.'],
    ['example.com/a.png', 'Enter a full URL that starts with https://.'],
    ['', 'Enter a URL.'],
    ['ftp://example.com/a', 'Gateways can’t fetch ftp: URLs. Use https:// or attach the file.'],
  ])('checks %s', (url, problem) => {
    expect(findUrlProblem(url)).toBe(problem);
  });
});

it.each([
  ['macos', /^Allow Gatehouse in System Settings/],
  ['windows', /Let desktop apps access/],
  ['system', /your system’s privacy/],
  ['browser', /address bar/],
] as const)('names the setting that allows microphone access on %s', (place, nextStep) => {
  const denied = new DOMException('No.', 'NotAllowedError');
  expect(toMicrophoneError(denied, place).nextStep).toMatch(nextStep);
});

describe('audio for the gateway', () => {
  it.each([
    ['audio/wav', 'wav'],
    ['audio/x-wav', 'wav'],
    ['audio/mpeg', 'mp3'],
    ['audio/ogg', null],
    ['audio/mp4', null],
  ])('maps %s to %s', (type, format) => {
    expect(getWireAudioFormat({ type })).toBe(format);
  });
});
