/** How a medium is called when it is saved. */
import type { Media } from '../../../shared/media.ts';

const extensions: Record<string, string> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
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

/** RFC 6266: the plain name for old readers, the encoded one for all others. */
export function attachment(media: Pick<Media, 'id' | 'name' | 'type'>): string {
  const name = fileName(media);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

function fileName({ id, name, type }: Pick<Media, 'id' | 'name' | 'type'>): string {
  if (name?.trim()) return name.replaceAll(/[/\\\p{Cc}]/gu, '_');
  return `gatehouse-${id.slice(0, 6)}.${extensions[type] ?? 'bin'}`;
}

/** `encodeURIComponent` leaves some that RFC 8187 does not. Half a surrogate pair cannot be encoded. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
