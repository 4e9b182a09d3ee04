import { createMediaReference, getMediaUrl, type Media } from '../../../../shared/media.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { type TextFile, writeTextFile } from '../../../../shared/operations/chat/text-file.ts';
import { formatBytes } from '../../../lib/format-quantity.ts';
import { PageError } from '../../../lib/page-failure.ts';
import { getMediaTitle } from '../../../media/players/describe-media.ts';
import { rememberMedia } from '../../../media/players/use-media.ts';
import { createMediaError } from '../../../media/uploads/media-filter.ts';
import { requestMedia, uploadMedia } from '../../../media/uploads/upload-media.ts';

const MAX_BYTES = 8_000_000;

/** Rejects with a `PageError` if the file is too long or isn't UTF-8. */
export async function toTextPart(media: Media): Promise<ContentPart> {
  const name = getMediaTitle(media);
  if (media.sizeBytes > MAX_BYTES) {
    const size = formatBytes(media.sizeBytes);
    throw new PageError(
      createMediaError(
        `“${name}” is ${size}. The limit for text is ${formatBytes(MAX_BYTES)}.`,
        'Send it as a file.',
      ),
    );
  }
  const bytes = await (await requestMedia(getMediaUrl(media.id))).arrayBuffer();
  return { type: 'text', text: writeTextFile({ name, text: decode(bytes, name) }) };
}

function decode(bytes: ArrayBuffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PageError(
      createMediaError(`“${name}” isn’t UTF-8 text.`, 'Send it as a file.', String(cause)),
    );
  }
}

/** Stores the text as a file again; rejects with a `PageError`. */
export async function toFilePart({ name, text }: TextFile): Promise<ContentPart> {
  const media = await uploadMedia(new Blob([text], { type: 'text/plain' }), { name });
  rememberMedia(media);
  return { type: 'file', file: { filename: name, file_data: createMediaReference(media.id) } };
}
