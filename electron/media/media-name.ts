/** How media are called: a name for those without one, and the header that saves them under it. */
import type { Media } from '../../shared/media.ts';
import { sniffMedia } from './sniff.ts';

/** Endings by MIME type, without the dot. */
const endings: Readonly<Record<string, string>> = {
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
  const declaredType = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = endings[type] ?? endings[declaredType] ?? 'bin';
  return `${stem}.${ending}`;
}

/** `boat-2.png` of `boat.png`. */
export function uniqueName(name: string, number: number): string {
  return name.replace(/(?=\.[^.]*$)|$/, `-${number}`);
}

/** Content-Disposition as of RFC 6266: the plain name for old readers, the encoded one for all others. */
export function attachment(media: Pick<Media, 'id' | 'name' | 'type'>): string {
  const name = fileName(media);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

function fileName({ id, name, type }: Pick<Media, 'id' | 'name' | 'type'>): string {
  // Those of an earlier Gatehouse were kept as they came.
  if (name?.trim()) return safeName(name);
  return `gatehouse-${id.slice(0, 6)}.${endings[type] ?? 'bin'}`;
}

/** Never a path. Marks of direction are left out: they can make `gpj.exe` read as `exe.jpg`. */
export function safeName(name: string): string {
  return name
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[/\\\p{Cc}]/gu, '_');
}

/** A new name as a user types it: never a path or only an ending, and with the ending that the file had. */
export function safeExtension(typed: string, media: Pick<Media, 'id' | 'name' | 'type'>): string {
  const name = safeName(typed).trim();
  const ending = /\.[^.\s]{1,8}$/.exec(fileName(media))?.[0] ?? '';
  const hasEnding = name.toLowerCase().endsWith(ending.toLowerCase());
  if (name === '' || (hasEnding && name.length === ending.length)) {
    return fileName({ ...media, name: null });
  }
  return hasEnding ? name : `${name}${ending}`;
}

/** `encodeURIComponent` leaves some that RFC 8187 does not. Half a surrogate pair cannot be encoded. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
