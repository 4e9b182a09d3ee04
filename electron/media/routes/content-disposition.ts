/** How a medium is called when it is saved. */
import type { Media } from '../../../shared/media.ts';
import { endings } from '../media-name.ts';

/** RFC 6266: the plain name for old readers, the encoded one for all others. */
export function attachment(media: Pick<Media, 'id' | 'name' | 'type'>): string {
  const name = fileName(media);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

function fileName({ id, name, type }: Pick<Media, 'id' | 'name' | 'type'>): string {
  if (name?.trim()) return name.replaceAll(/[/\\\p{Cc}]/gu, '_');
  return `gatehouse-${id.slice(0, 6)}.${endings[type] ?? 'bin'}`;
}

/** `encodeURIComponent` leaves some that RFC 8187 does not. Half a surrogate pair cannot be encoded. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
