/** Where the content of a message part is stored. */
import { referencedMedia } from '../../media-reference.ts';
import type { ContentPart } from './message.ts';

/** The value in the place of the bytes or their URL; null for text and for files by ID. */
export function getSource(part: ContentPart): string | null {
  switch (part.type) {
    case 'text':
      return null;
    case 'image_url':
      return part.image_url.url;
    case 'input_audio':
      return part.input_audio.data;
    case 'video_url':
      return part.video_url.url;
    case 'file':
      return part.file.file_data ?? null;
  }
}

/** The stored medium that a part names; null for addresses. */
export function getMediaId(part: ContentPart): string | null {
  const source = getSource(part);
  return source === null ? null : referencedMedia(source);
}
