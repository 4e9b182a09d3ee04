import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sniffMedia } from '../../electron/media/sniff.ts';
import { mediaKindSchema } from '../../shared/media.ts';
import { inputs } from '../fixtures/property.ts';

/** First bytes of files, long enough to be unambiguous. */
const OPENINGS: [opening: string, type: string][] = [
  ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
  ['GIF89a\x01\0\x01\0\0\0\0', 'image/gif'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'audio/wav'],
  ['RIFFzzzzWAVEfmt \x10\0\0\0', 'audio/wav'],
  ['RIFF\x24\0\0\0AVI LIST', 'video/x-msvideo'],
  ['II*\0\x08\0\0\0', 'image/tiff'],
  ['MM\0*\0\0\0\x08', 'image/tiff'],
  ['\0\0\0\x1cftypavif\0\0\0\0', 'image/avif'],
  ['\0\0\0\x20ftypM4A \0\0\0\0', 'audio/mp4'],
  ['\0\0\0\x20ftypisom\0\0\0\0', 'video/mp4'],
  ['\0\0\0\x14ftypqt  \0\0\0\0', 'video/quicktime'],
  ['zzzzmdat\0\0', 'video/quicktime'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video/webm'],
  ['OggS\0\x02\0\0', 'audio/ogg'],
  ['fLaC\0\0\0\x22', 'audio/flac'],
  ['ID3\x04\0\0\0\0\0\0', 'audio/mpeg'],
  ['%PDF-1.7\n', 'application/pdf'],
  ['PK\x03\x04\x14\0', 'application/zip'],
  ['\x1f\x8b\x08\0', 'application/gzip'],
];

const tail = fc.uint8Array({ maxLength: 200 });
const declared = fc.constantFrom(
  ...[null, '', 'image/png', 'text/plain', 'application/json', 'garbage'],
);

it('recognizes a file by its first bytes, whatever follows or was declared', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPENINGS), tail, declared, ([opening, type], rest, name) => {
      const head = Buffer.concat([Buffer.from(opening, 'latin1'), rest]);
      const [kind = 'file'] = /^(?:image|audio|video)/.exec(type) ?? [];
      expect(sniffMedia(head, name)).toEqual({ kind, type });
    }),
    inputs(1000),
  );
});

it('recognizes written text as text, never as an image, audio or video', () => {
  const words = fc.constantFrom(
    ...['ID3', 'OggS', 'fLaC', 'GIF89a', 'RIFF', 'WAVE', 'WEBP', 'the ', 'wide', 'moov', 'mdat'],
    ...['ftyp', 'ftypqt  ', 'avif', 'M4A ', 'BM', 'PK', ' ', '\n', 'ä', '😀', '{', '<svg>', '[1'],
    ...['%PDF-', 'WEBVTT'],
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), declared, (said, name) => {
      const { kind, type } = sniffMedia(Buffer.from(said.join('')), name);
      expect(kind).toBe('file');
      expect(type).toMatch(/^text\/|json$|svg\+xml$|pdf$/);
    }),
    inputs(1000),
  );
});

it('assigns a type to any sequence of bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), declared, (bytes, name) => {
      const { kind, type } = sniffMedia(Buffer.from(bytes), name);
      expect(mediaKindSchema.options).toContain(kind);
      expect(type).toMatch(/^[a-z]+\/[a-z\d.+-]+$/);
    }),
    inputs(500),
  );
});
