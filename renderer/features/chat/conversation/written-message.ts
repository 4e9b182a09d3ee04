import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { createMediaReference, type Media } from '../../../../shared/media.ts';
import type { Content, ContentPart, Role } from '../../../../shared/operations/chat/message.ts';
import type { MessageDetails } from '../../../../shared/operations/chat/request.ts';
import { readTextFile } from '../../../../shared/operations/chat/text-file.ts';

/** Audio must be WAV or MP3, the only formats that the API accepts. */
export function toContentPart(media: Media): ContentPart {
  const reference = createMediaReference(media.id);
  switch (media.kind) {
    case 'image':
      return { type: 'image_url', image_url: { url: reference } };
    case 'audio':
      return {
        type: 'input_audio',
        input_audio: { data: reference, format: /mpeg|mp3/.test(media.type) ? 'mp3' : 'wav' },
      };
    case 'video':
      return { type: 'video_url', video_url: { url: reference } };
    case 'file':
      return { type: 'file', file: { filename: media.name ?? 'file', file_data: reference } };
  }
}

/** Returns true for any file whose first bytes are text, such as source code. */
export function isTextMedia({ kind, type }: Pick<Media, 'kind' | 'type'>): boolean {
  return kind === 'file' && /^text\/|\/json$|\+xml$/.test(type);
}

/** Longer text is attached as a file, because it exceeds most models' context. */
const MAX_AUTOMATIC_BYTES = 1_000_000;

export function isSentAsText(media: Pick<Media, 'kind' | 'type' | 'sizeBytes'>): boolean {
  return isTextMedia(media) && media.sizeBytes <= MAX_AUTOMATIC_BYTES;
}

/** Returns the part's size in bytes as base64 or as a data URL. */
export function getEncodedBytes(
  part: ContentPart,
  media: Pick<Media, 'sizeBytes' | 'type'>,
): number {
  const base64 = 4 * Math.ceil(media.sizeBytes / 3);
  return part.type === 'input_audio' ? base64 : base64 + `data:${media.type};base64,`.length;
}

/** Joins the text parts and skips all other parts, including text files. */
export function getTextParts(content: Content): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((part) => (part.type === 'text' && !isAttachment(part) ? [part.text] : []))
    .join('\n');
}

export function getAttachments(content: Content): ContentPart[] {
  return typeof content === 'string' ? [] : content.filter(isAttachment);
}

function isAttachment(part: ContentPart): boolean {
  return part.type !== 'text' || readTextFile(part) !== null;
}

/** Returns a plain string if there is only text, because every gateway accepts strings. */
export function toWrittenContent(text: string, attachments: readonly ContentPart[]): Content {
  if (attachments.length === 0) return text;
  return text.trim() === '' ? [...attachments] : [{ type: 'text', text }, ...attachments];
}

export function getDetails(message: TreeMessage): MessageDetails {
  const { name, toolCallId, reasoning, toolCalls } = message;
  return {
    name: name ?? '',
    toolCallId: toolCallId ?? '',
    reasoning: reasoning ?? '',
    toolCalls,
  };
}

/** Omits empty fields and fields that the role doesn't support. */
export function toWrittenDetails(role: Role, details: MessageDetails): Partial<WrittenMessage> {
  const { reasoning, toolCalls } = details;
  const name = details.name.trim();
  const toolCallId = details.toolCallId.trim();
  const isAssistant = role === 'assistant';
  return {
    ...(name !== '' && { name }),
    ...(role === 'tool' && toolCallId !== '' && { toolCallId }),
    ...(isAssistant && reasoning.trim() !== '' && { reasoning }),
    ...(isAssistant && toolCalls.length > 0 && { toolCalls }),
  };
}

/** Returns why the details can't be saved, or null if they are valid. */
export function getDetailsProblem(role: Role, { toolCalls }: MessageDetails): string | null {
  if (role !== 'assistant') return null;
  if (toolCalls.some((call) => call.function.name.trim() === '')) {
    return 'Enter a name for each tool call.';
  }
  return toolCalls.some(({ id }) => id.trim() === '') ? 'Enter an ID for each tool call.' : null;
}

/** Returns the text, with each non-text part replaced by its type in brackets. */
export function getMessageText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
