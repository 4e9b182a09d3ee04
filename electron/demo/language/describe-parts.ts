/** Inspects the media of messages, so that a model can say what it received. */
import type { ContentPart, Message } from '../../../shared/operations/chat/message.ts';
import { describeInspection, inspectBytes } from '../media/inspect-media.ts';

/** From the data of a part to words about it. */
export type Descriptions = ReadonlyMap<string, string>;

export async function describeParts(
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Descriptions> {
  const described = new Map<string, string>();
  const sources = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap(mediaSource) : [],
  );
  for (const { source, declaredType } of sources) {
    const read = readSource(source);
    if (read === null || described.has(source)) continue;
    const type = read.declaredType ?? declaredType;
    const inspection = await inspectBytes(read.bytes, type, signal);
    described.set(source, describeInspection(read.bytes.length, inspection, type));
  }
  return described;
}

function mediaSource(part: ContentPart): { source: string; declaredType: string | null }[] {
  switch (part.type) {
    case 'text':
      return [];
    case 'image_url':
      return [{ source: part.image_url.url, declaredType: null }];
    case 'input_audio':
      return [{ source: part.input_audio.data, declaredType: `audio/${part.input_audio.format}` }];
    case 'file':
      return [{ source: part.file.file_data ?? '', declaredType: null }];
    case 'video_url':
      return [{ source: part.video_url.url, declaredType: null }];
  }
}

/** Null for a web address, which is never fetched, and where there is nothing to look at. */
function readSource(source: string): { bytes: Buffer; declaredType: string | null } | null {
  const comma = source.indexOf(',');
  if (source.startsWith('data:') && comma > 0) {
    const [declaredType = '', ...rest] = source.slice(5, comma).split(';');
    const bytes = rest.includes('base64')
      ? Buffer.from(source.slice(comma + 1), 'base64')
      : Buffer.from(source.slice(comma + 1));
    return bytes.length === 0 ? null : { bytes, declaredType: declaredType || null };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(source.slice(0, 32))) return null;
  const bytes = Buffer.from(source, 'base64');
  return bytes.length === 0 ? null : { bytes, declaredType: null };
}
