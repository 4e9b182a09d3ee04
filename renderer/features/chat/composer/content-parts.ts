/** Content parts of chat messages around stored media: pure, for composer and conversation. */
import type { Media } from '../../../../shared/media.ts';
import { mediaReference } from '../../../../shared/media-reference.ts';
import type { Content, ContentPart } from '../../../../shared/operations/chat/message.ts';

/** How a stored medium goes into a message. Sound must be wav or mp3 by now. */
export function getPart(media: Media): ContentPart {
  const reference = mediaReference(media.id);
  switch (media.kind) {
    case 'image':
      return { type: 'image_url', image_url: { url: reference } };
    case 'audio':
      return {
        type: 'input_audio',
        input_audio: { data: reference, format: isMp3(media) ? 'mp3' : 'wav' },
      };
    case 'video':
      return { type: 'video_url', video_url: { url: reference } };
    case 'file':
      return { type: 'file', file: { filename: media.name ?? 'file', file_data: reference } };
  }
}

function isMp3({ type }: Media): boolean {
  return type === 'audio/mpeg' || type === 'audio/mp3';
}

/** Bytes of the part's data when encoded: base64 is four thirds, and a data URL has its head. */
export function wireBytes(part: ContentPart, media: Pick<Media, 'sizeBytes' | 'type'>): number {
  const base64 = 4 * Math.ceil(media.sizeBytes / 3);
  return part.type === 'input_audio' ? base64 : base64 + `data:${media.type};base64,`.length;
}

/** The text parts alone. */
export function textIn(content: Content): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The parts that are not text. */
export function attachmentsIn(content: Content): ContentPart[] {
  return typeof content === 'string' ? [] : content.filter(({ type }) => type !== 'text');
}

/** Plain text where there is nothing else: every gateway takes that. */
export function getContent(text: string, attachments: readonly ContentPart[]): Content {
  if (attachments.length === 0) return text;
  return text.trim() === '' ? [...attachments] : [{ type: 'text', text }, ...attachments];
}
