/** Names media items and builds the Content-Disposition header. */
import type { Media } from '../../shared/media.ts';
import { sniffMedia } from './sniff.ts';

const endings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/x-npy': 'npy',
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
  'image/tiff': 'tif',
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

/** `opening` is the start of the file, which takes precedence over the declared type. */
export function getNameByContent(
  stem: string,
  opening: Uint8Array,
  declared: string | null,
): string {
  const { type } = sniffMedia(Buffer.from(opening.subarray(0, 4096)), declared);
  const declaredType = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = endings[type] ?? endings[declaredType] ?? 'bin';
  return `${stem}.${ending}`;
}

/** Returns `boat-2.png` for `boat.png`. */
export function appendNumber(name: string, number: number): string {
  return name.replace(/(?=\.[^.]*$)|$/, `-${number}`);
}

/** RFC 6266 allows a plain file name for old clients in addition to the encoded name. */
export function formatContentDisposition(media: Pick<Media, 'id' | 'name' | 'type'>): string {
  const name = getFileName(media);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`;
}

function getFileName({ id, name, type }: Pick<Media, 'id' | 'name' | 'type'>): string {
  if (name?.trim()) return sanitizeFileName(name);
  return `gatehouse-${id.slice(0, 6)}.${endings[type] ?? 'bin'}`;
}

/**
 * Removes paths and bidirectional control characters, which can disguise `gpj.exe` as `exe.jpg`.
 */
export function sanitizeFileName(name: string): string {
  return name
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[/\\\p{Cc}]/gu, '_');
}

/** Converts the entered name to a file name with the original extension. */
export function keepExtension(typed: string, media: Pick<Media, 'id' | 'name' | 'type'>): string {
  const name = sanitizeFileName(typed).trim();
  const ending = /\.[^.\s]{1,8}$/.exec(getFileName(media))?.[0] ?? '';
  const hasEnding = name.toLowerCase().endsWith(ending.toLowerCase());
  if (name === '' || (hasEnding && name.length === ending.length)) {
    return getFileName({ ...media, name: null });
  }
  return hasEnding ? name : `${name}${ending}`;
}

/** RFC 8187 doesn't allow some characters that `encodeURIComponent` leaves unescaped. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
