import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { measureMedia } from '../../electron/media/measure-media.ts';
import { sniffMedia } from '../../electron/media/sniff.ts';
import { measureFile } from '../../electron/media/worker/measure-file.ts';
import { container } from '../fixtures/containers.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { silentAdts, silentMp3, wav } from '../fixtures/sounds.ts';

function measure(bytes: Uint8Array) {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, bytes);
  return measureMedia(path, sniffMedia(Buffer.from(bytes), null), measureFile);
}
const latin = (text: string) => Buffer.from(text, 'latin1');

describe('pixels', () => {
  const vp8x = latin('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\x01\0\xb3\0\0');
  const vp8l = latin('RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x3f\xc1\x2c\0\0\0\0');
  const vp8 = latin('RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x40\x01\xb4\0');
  const dib = Buffer.alloc(54);
  dib.write('BM', 'latin1');
  dib.writeUInt32LE(54, 10);
  dib.writeUInt32LE(40, 14);
  dib.writeInt32LE(320, 18);
  dib.writeInt32LE(-180, 22);
  const ispe = (width: number, height: number) => {
    const box = Buffer.from('\0\0\0\x14ispe\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
    box.writeUInt32BE(width, 12);
    box.writeUInt32BE(height, 16);
    return box;
  };
  const turned = (tiff: string) =>
    latin(`\xff\xd8\xff\xe1\0\x22Exif\0\0${tiff}\xff\xc0\0\x11\x08\x01\x40\0\xb4\x03`);
  const thumbnail = latin(`\xff\xe1\x20\0Exif${'\xff\xc0'.repeat(0xffd)}`);

  test.each<[string, Buffer]>([
    ['PNG', latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x40\0\0\0\xb4\x08\x02')],
    ['GIF', latin('GIF89a\x40\x01\xb4\0')],
    ['BMP, rows from the top', dib],
    [
      'TIFF',
      latin(
        'II*\0\x08\0\0\0\x02\0\0\x01\x03\0\x01\0\0\0\x40\x01\0\0\x01\x01\x04\0\x01\0\0\0\xb4\0\0\0',
      ),
    ],
    [
      'TIFF, big-endian',
      latin(
        'MM\0*\0\0\0\x08\0\x02\x01\0\0\x03\0\0\0\x01\x01\x40\0\0\x01\x01\0\x04\0\0\0\x01\0\0\0\xb4',
      ),
    ],
    ['WebP, extended', vp8x],
    ['WebP, lossless', vp8l],
    ['WebP, lossy', vp8],
    ['AVIF with thumb', Buffer.concat([latin('\0\0\0\x1cftypavif'), ispe(32, 18), ispe(320, 180)])],
    ['turned JPEG', turned('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0')],
    ['turned JPEG, BE', turned('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0')],
    [
      'JPEG after a thumbnail',
      Buffer.concat([
        latin('\xff\xd8'),
        thumbnail,
        latin('\xff\xff\xc2\0\x11\x08\0\xb4\x01\x40\x03'),
      ]),
    ],
  ])('measures a %s', async (_name, bytes) => {
    expect(await measure(bytes)).toMatchObject({ width: 320, height: 180 });
  });

  test.each<[string, Buffer]>([
    ['PNG', latin('\x89PNG\r\n\x1a\n\0\0\0')],
    ['JPEG', latin('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['JPEG', latin('\xff\xd8\xff\xe1\0\x22Exif\0\0II*\0\xff\xff\xff\xff')],
    ['WebP', latin('RIFF\x16\0\0\0WEBPVP8X')],
  ])('returns null for a %s that was cut off', async (_name, bytes) => {
    expect(await measure(bytes)).toMatchObject({ width: null, height: null });
  });
});

describe('sound', () => {
  const tagged = (sound: Buffer) => {
    const before = Buffer.concat([latin('ID3\x04\0\0\0\0\x02\x00'), Buffer.alloc(256, 0xff)]);
    return Buffer.concat([before, sound, latin(`TAG${'x'.repeat(125)}`)]);
  };
  const withTable = (sound: Buffer) => {
    sound.write('Info', 36, 'latin1');
    return sound;
  };
  const mp3Seconds = (100 * 1152) / 44_100;
  test.each<[string, Buffer, number, number, number]>([
    ['WAV', wav({ seconds: 1.5, channels: 2 }), 1.5, 8000, 2],
    ['streamed WAV', wav({ seconds: 1.5, claimedBytes: 0xffff_ffff }), 1.5, 8000, 1],
    ['streamed WAV of length 0', wav({ seconds: 1.5, claimedBytes: 0 }), 1.5, 8000, 1],
    ['cut WAV', wav({ seconds: 3 }).subarray(0, 44 + 16_000), 1, 8000, 1],
    ['MP3', silentMp3(100), mp3Seconds, 44_100, 2],
    ['MP3 with tags at both ends', tagged(silentMp3(100)), mp3Seconds, 44_100, 2],
    ['MP3 with a table for seeking', withTable(silentMp3(101)), mp3Seconds, 44_100, 2],
    ['MP3 of many megabytes', silentMp3(6000), 60 * mp3Seconds, 44_100, 2],
    ['AAC', silentAdts(100), (100 * 1024) / 44_100, 44_100, 1],
  ])('measures a %s', async (_name, bytes, seconds, sampleRate, channels) => {
    const measured = await measure(bytes);
    expect(measured).toMatchObject({ sampleRate, channels, width: null });
    expect(measured.durationSeconds).toBeCloseTo(seconds, 2);
  });

  test('detects missing WAV samples from the header', async () => {
    const whole = wav({ seconds: 3 });
    expect(await measure(whole.subarray(0, 16_044))).toMatchObject({ isCut: true });
    for (const claimedBytes of [whole.length - 44, 0, 0x7fff_ffff, 0xffff_ffff]) {
      expect(await measure(wav({ seconds: 3, claimedBytes }))).not.toHaveProperty('isCut');
    }
  });

  test.each([
    ['MP3', silentMp3(100)],
    ['AAC', silentAdts(100)],
  ])('detects an %s that ends in the middle of a frame', async (_name, whole) => {
    expect(await measure(whole)).not.toHaveProperty('isCut');
    expect(await measure(tagged(whole))).not.toHaveProperty('isCut');
    expect(await measure(whole.subarray(0, -20))).toMatchObject({ isCut: true });
  });

  test('detects missing MP3 frames from the table of contents', async () => {
    const withFrames = (name: string, flagsAndFrames: number[], count: number) => {
      const sound = silentMp3(count);
      sound.write(name, 36, 'latin1');
      for (const [at, number] of flagsAndFrames.entries()) sound.writeUInt32BE(number, 40 + at * 4);
      return sound;
    };
    expect(await measure(withFrames('Info', [1, 100], 101))).not.toHaveProperty('isCut');
    expect(await measure(withFrames('Xing', [0, 100], 51))).not.toHaveProperty('isCut');
    expect(await measure(withFrames('Xing', [1, 100], 51))).toMatchObject({ isCut: true });
  });

  test('measures Ogg Opus', async () => {
    const measured = await measure(await container('ogg', ['audio']));
    expect(measured).toMatchObject({ sampleRate: 48_000, channels: 2 });
    expect(measured.durationSeconds).toBeCloseTo(2, 1);
  });

  test.each(['mp4', 'webm'] as const)(
    'treats %s with only an audio track as audio',
    async (kind) => {
      const measured = await measure(await container(kind, ['audio']));
      expect(measured).toMatchObject({ kind: 'audio', type: `audio/${kind}`, sampleRate: 48_000 });
      expect(measured.durationSeconds).toBeCloseTo(2, 1);
    },
  );
});

describe('video', () => {
  test.each(['mp4', 'webm'] as const)('measures %s', async (kind) => {
    const measured = await measure(await container(kind, ['video', 'audio']));
    expect(measured).toMatchObject({ width: 320, height: 180, sampleRate: 48_000, channels: 2 });
    expect(measured.frameRate).toBeCloseTo(25, 1);
    expect(measured.durationSeconds).toBeCloseTo(2, 1);
    expect(measured.kind).toBeUndefined();
  });

  test('measures AVI', async () => {
    const avi = Buffer.alloc(88);
    avi.write('RIFF\x50\0\0\0AVI LIST\x44\0\0\0hdrlavih\x38\0\0\0', 'latin1');
    const fields = { 32: 40_000, 48: 50, 64: 320, 68: 180 };
    for (const [at, value] of Object.entries(fields)) avi.writeUInt32LE(value, Number(at));
    const expected = { width: 320, height: 180, durationSeconds: 2, frameRate: 25 };
    expect(await measure(avi)).toMatchObject(expected);
  });
});

test.each([
  ['text', Buffer.from('hello')],
  ['a PDF', latin('%PDF-1.7')],
  ['what only begins like a video', latin('\0\0\0\x20ftypisom then something else')],
])('measures nothing in %s', async (_name, bytes) => {
  expect(Object.values(await measure(bytes))).toEqual(Array(6).fill(null));
});

describe('the end of an image', () => {
  const chunk = (name: string, data = '') => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, latin(`${name}${data}CRC.`)]);
  };
  const header = '\0\0\x01\x40\0\0\0\xb4\x08\x02\0\0\0';
  const png = Buffer.concat([
    latin('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', header),
    chunk('IDAT', 'pixels'.repeat(50)),
    chunk('IEND'),
  ]);
  const frame = '\xff\xc0\0\x11\x08\0\xb4\x01\x40\x03\x01\x22\0\x02\x11\x01\x03\x11\x01';
  const jpeg = latin(`\xff\xd8${frame}\xff\xda${'scan'.repeat(20)}\xff\xd9`);
  const vp8x = 'VP8X\x0a\0\0\0\0\0\0\0\x3f\x01\0\xb3\0\0';
  const webp = latin(`RIFF\x2a\0\0\0WEBP${vp8x}${'data'.repeat(5)}`);

  test.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['WebP', webp],
  ])('is missing in a truncated %s', async (_name, bytes) => {
    expect(await measure(bytes)).not.toHaveProperty('isCut');
    expect(await measure(Buffer.concat([bytes, latin('trailing data')]))).not.toHaveProperty(
      'isCut',
    );
    expect(await measure(bytes.subarray(0, -13))).toMatchObject({ width: 320, isCut: true });
  });
});
