/** Writes and reads the text that replaces a file's base64 in a displayed request. */
import { createMediaReference, type Media } from './media.ts';
import type { MediaForm } from './operations/form/media-places.ts';

type Described = Pick<Media, 'id' | 'name' | 'sizeBytes'>;

/** Returns text such as `<base64 of photo.png, 1.2 MB, media:ID>`. */
export function describeMedia({ id, name, sizeBytes }: Described): string {
  return `<base64 of ${name ?? 'a file'}, ${formatSize(sizeBytes)}, ${createMediaReference(id)}>`;
}

/** `content` is the base64 or its description. */
export function writeContent(
  media: Pick<Media, 'type' | 'declaredType'>,
  content: string,
  form: MediaForm,
): string {
  return form === 'base64' ? content : `data:${getWireType(media)};base64,${content}`;
}

/** Uses the declared type if the bytes have no signature or look like plain text. */
export function getWireType({ type, declaredType }: Pick<Media, 'type' | 'declaredType'>): string {
  const declared = declaredType?.split(';')[0]?.trim() ?? '';
  if (type === 'text/plain') return /^text\/[\w.+-]+$/i.test(declared) ? declared : type;
  return type === 'application/octet-stream' && declared !== '' ? declared : type;
}

export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const PLACEHOLDER = /^(data:[^,"<>]*;base64,)?<base64 of .+, [^,]+, (media:[\w-]{16,64})>$/s;

/** Returns the `media:<id>` reference of a description; null for any other text. */
export function readPlaceholder(text: string): { reference: string; form: MediaForm } | null {
  const [, before, reference] = PLACEHOLDER.exec(text) ?? [];
  if (reference === undefined) return null;
  return { reference, form: before === undefined ? 'base64' : 'data-url' };
}
