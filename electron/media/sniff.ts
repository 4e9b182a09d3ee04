/** Detects a file's type from its first bytes. */
import type { MediaKind } from '../../shared/media.ts';
import { decodeText } from '../base/decode-text.ts';
import { isFramed, readAdtsFrame, readMpegFrame } from './audio-frames.ts';

export const SNIFF_BYTES = 4096;

export interface Sniffed {
  kind: MediaKind;
  type: string;
}

export const UNKNOWN_TYPE = 'application/octet-stream';

type Test = (head: Buffer) => boolean;

const at =
  (offset: number, text: string): Test =>
  (head) =>
    head.subarray(offset, offset + text.length).toString('latin1') === text;
const riff =
  (form: string): Test =>
  (head) =>
    (at(0, 'RIFF')(head) || at(0, 'RF64')(head)) && at(8, form)(head);

const PDF = '%PDF-';

/** Binary signatures are from https://mimesniff.spec.whatwg.org/ and the format specifications. */
const signatures: [Test, MediaKind, string][] = [
  [at(0, '\x89PNG\r\n\x1a\n'), 'image', 'image/png'],
  [at(0, '\xff\xd8\xff'), 'image', 'image/jpeg'],
  [(head) => at(0, 'GIF87a')(head) || at(0, 'GIF89a')(head), 'image', 'image/gif'],
  [riff('WEBP'), 'image', 'image/webp'],
  [(head) => at(0, 'II*\0')(head) || at(0, 'MM\0*')(head), 'image', 'image/tiff'],
  [riff('WAVE'), 'audio', 'audio/wav'],
  [riff('AVI '), 'video', 'video/x-msvideo'],
  [(head) => at(4, 'ftyp')(head) && /^(avif|avis)/.test(readBrands(head)), 'image', 'image/avif'],
  [
    (head) => at(4, 'ftyp')(head) && /^(heic|heix|mif1)/.test(readBrands(head)),
    'image',
    'image/heic',
  ],
  [(head) => at(4, 'ftyp')(head) && /^M4[AB] /.test(readBrands(head)), 'audio', 'audio/mp4'],
  [(head) => at(4, 'ftypqt  ')(head), 'video', 'video/quicktime'],
  [at(4, 'ftyp'), 'video', 'video/mp4'],
  [(head) => ['moov', 'wide', 'mdat'].some((box) => at(4, box)(head)), 'video', 'video/quicktime'],
  [
    (head) => at(0, '\x1aE\xdf\xa3')(head) && head.subarray(0, 64).includes('webm'),
    'video',
    'video/webm',
  ],
  [at(0, '\x1aE\xdf\xa3'), 'video', 'video/x-matroska'],
  [at(0, 'OggS'), 'audio', 'audio/ogg'],
  [at(0, 'fLaC'), 'audio', 'audio/flac'],
  [at(0, 'ID3'), 'audio', 'audio/mpeg'],
  [at(0, PDF), 'file', 'application/pdf'],
  [at(0, 'PK\x03\x04'), 'file', 'application/zip'],
  [at(0, '\x1f\x8b'), 'file', 'application/gzip'],
  [(head) => isFramed(head, readAdtsFrame), 'audio', 'audio/aac'],
  [(head) => isFramed(head, readMpegFrame), 'audio', 'audio/mpeg'],
  // Two letters are a weak signature, so the sizes must also be plausible.
  [(head) => at(0, 'BM')(head) && head.length > 18 && isBitmap(head), 'image', 'image/bmp'],
];

/** `declaredType` is used only for raw PCM and for containers that may be audio-only. */
export function sniffMedia(head: Buffer, declaredType: string | null): Sniffed {
  const textType = sniffText(head);
  const found = textType === null ? signatures.find(([test]) => test(head)) : undefined;
  if (found) {
    const [, kind, type] = found;
    const audioType = declaredType?.startsWith('audio/') ? audioOnlyTypes[type] : undefined;
    return audioType === undefined ? { kind, type } : { kind: 'audio', type: audioType };
  }
  if (textType !== null) return { kind: 'file', type: textType };
  const raw = declaredType?.split(';')[0]?.trim().toLowerCase();
  if (raw !== undefined && RAW_AUDIO.test(raw)) return { kind: 'audio', type: raw };
  return { kind: 'file', type: UNKNOWN_TYPE };
}

/** MIME types of containers without a video track. */
export const audioOnlyTypes: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/webm': 'audio/webm',
  'video/x-matroska': 'audio/x-matroska',
};

/** Returns true if the bytes could be headerless 16-bit samples. */
export function isRawPcm(type: string): boolean {
  return type === UNKNOWN_TYPE || /^audio\/(pcm|x-pcm|raw|l16)$/.test(type);
}

const RAW_AUDIO = /^audio\/(pcm|x-pcm|raw|l16|l24|basic)$/;

function readBrands(head: Buffer): string {
  return head.subarray(8, 12).toString('latin1');
}

function isBitmap(head: Buffer): boolean {
  const pixels = head.readUInt32LE(10);
  const infoBytes = head.readUInt32LE(14);
  return pixels >= 26 && pixels < 2048 && infoBytes >= 12 && infoBytes <= 124;
}

/** Returns the MIME type of UTF-8 text, or null for binary data. */
function sniffText(head: Buffer): string | null {
  if (head.length === 0) return null;
  const text = decodeText(head);
  if (text === null) return null;
  if (text.startsWith(PDF)) return 'application/pdf';

  const start = text.trimStart().slice(0, 1024).toLowerCase();
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/.test(start)) {
    return 'image/svg+xml';
  }
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|title|script|h1|p)[\s>]/.test(start)) {
    return 'text/html';
  }
  if (start.startsWith('<?xml')) return 'text/xml';
  if (start.startsWith('webvtt')) return 'text/vtt';
  if (/^(\{\s*("|\}|$)|\[\s*(["{[\]\d-]|true|false|null|$))/.test(start)) return 'application/json';
  return 'text/plain';
}
