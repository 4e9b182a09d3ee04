/** Names for files that came without one: what they are for, and the ending of their type. */
import { sniffMedia } from './sniff.ts';

/** Endings by MIME type, without the dot. */
export const endings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/pcm': 'pcm',
  'audio/l16': 'pcm',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/vtt': 'vtt',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
};

/** `opening`: the file's first bytes, which count for more than the declared type. */
export function nameByContent(stem: string, opening: Uint8Array, declared: string | null): string {
  const { type } = sniffMedia(Buffer.from(opening.subarray(0, 4096)), declared);
  const said = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = endings[type] ?? endings[said] ?? 'bin';
  return `${stem}.${ending}`;
}
