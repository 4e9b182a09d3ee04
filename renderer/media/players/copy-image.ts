import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';

/** For the clipboard, as PNG: the one format that every browser takes there. */
export function clipboardImage(media: Pick<Media, 'id'>): ClipboardItem {
  // A promise inside, because the permission ends with the click.
  return new ClipboardItem({ 'image/png': pngOf(media) });
}

async function pngOf({ id }: Pick<Media, 'id'>): Promise<Blob> {
  const reply = await fetch(mediaUrl(id));
  if (!reply.ok) throw new Error(`The image answered ${reply.status}.`);
  const blob = await reply.blob();
  if (blob.type === 'image/png') return blob;
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}
