import { describe, expect, test } from 'vitest';
import { sniffMedia } from '../../electron/media/sniff.ts';
import { silentAdts, silentMp3, wav } from '../fixtures/sounds.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

// properties-media-sniff.test.ts covers formats that the first bytes determine.
describe('by its first bytes', () => {
  test.each<[string, Buffer, string, string]>([
    [
      'BMP',
      latin(`BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${'\0'.repeat(8)}`),
      'image',
      'image/bmp',
    ],
    ['SVG', latin('<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="…">'), 'file', 'image/svg+xml'],
    ['WAV', wav(), 'audio', 'audio/wav'],
    ['MP3 without one', silentMp3(3), 'audio', 'audio/mpeg'],
    ['a single MP3 frame', silentMp3(1), 'audio', 'audio/mpeg'],
    ['AAC in ADTS', silentAdts(3), 'audio', 'audio/aac'],
    ['MKV', latin('\x1aE\xdf\xa3\xa3B\x86\x81\x01B\x82\x88matroska'), 'video', 'video/x-matroska'],
    ['HTML', latin('\n<!DOCTYPE html><html lang="en">'), 'file', 'text/html'],
    ['HTML after a remark', latin('<!-- x --><html>'), 'file', 'text/html'],
    ['JSON', latin('{"error":{"message":"no"}}'), 'file', 'application/json'],
    ['a JSON list', latin('[1, 2]'), 'file', 'application/json'],
    ['WebVTT', latin('WEBVTT\n\n00:00.000 --> 00:01.000\nHi'), 'file', 'text/vtt'],
    ['text', Buffer.from('Grüße, 世界'), 'file', 'text/plain'],
    ['text that has the name of a box', latin('The wide road'), 'file', 'text/plain'],
    ['text that begins like a tag', latin('ID3 tags are old.'), 'file', 'text/plain'],
    ['text in brackets', latin('[Intro] Hello'), 'file', 'text/plain'],
    ['nothing known', Buffer.from([0, 1, 2, 3, 0xff]), 'file', 'application/octet-stream'],
    ['nothing at all', Buffer.alloc(0), 'file', 'application/octet-stream'],
  ])('recognizes %s', (_name, head, kind, type) => {
    expect(sniffMedia(head, null)).toEqual({ kind, type });
  });
});

test.each<[string, Buffer, string | null, object]>([
  ['text, not WAV', latin('this is only text'), 'audio/wav', { kind: 'file', type: 'text/plain' }],
  ['WAV, not a declared PNG', wav(), 'image/png', { type: 'audio/wav' }],
  [
    'declared samples without a signature',
    Buffer.from([0, 0, 12, 0xff, 3, 0x80]),
    'audio/pcm; rate=24000',
    { kind: 'audio', type: 'audio/pcm' },
  ],
  [
    'a growing container that was declared as audio',
    latin('\x1aE\xdf\xa3\x9fB\x82\x84webm'),
    'audio/webm;codecs=opus',
    { kind: 'audio', type: 'audio/webm' },
  ],
  ['cut text', Buffer.from('über ü').subarray(0, -1), null, { type: 'text/plain' }],
])('recognizes %s', (_name, head, declaredType, expected) => {
  expect(sniffMedia(head, declaredType)).toMatchObject(expected);
});
test('rejects a single sync word', () => {
  const noise = Buffer.alloc(2000, 0x37);
  noise.set([0xff, 0xfb, 0x90, 0x00, 0x01]);
  expect(sniffMedia(noise, null).kind).toBe('file');
});
