/** Converts data URLs and base64 audio in other programs' messages to media items. */
import { randomBytes } from 'node:crypto';
import { createMediaReference } from '../../../shared/media.ts';
import type { Content, ContentPart } from '../../../shared/operations/chat/message.ts';
import { readDataUrl } from '../../operations/base64-data.ts';
import { type ConversationFile, type FileMedia, isBase64 } from './conversation-file.ts';

/** Data that isn't valid base64 stays in the message. */
export function extractInlineData(file: ConversationFile): ConversationFile {
  const media: FileMedia[] = [...file.media];

  function store(data: string, type: string | null, name: string | null): string | null {
    if (data === '' || !isBase64(data)) return null;
    const id = randomBytes(16).toString('base64url');
    media.push({ id, name, type, role: 'upload', data });
    return createMediaReference(id);
  }

  function storeUrl(url: string, name: string | null = null): string {
    const data = readDataUrl(url);
    return (data === null ? null : store(data.base64, data.type, name)) ?? url;
  }

  function storePart(part: ContentPart): ContentPart {
    switch (part.type) {
      case 'text':
        return part;
      case 'image_url':
        return { ...part, image_url: { ...part.image_url, url: storeUrl(part.image_url.url) } };
      case 'video_url':
        return { ...part, video_url: { ...part.video_url, url: storeUrl(part.video_url.url) } };
      case 'input_audio': {
        const { data, format } = part.input_audio;
        const reference = store(data, format === 'mp3' ? 'audio/mpeg' : 'audio/wav', null);
        return { ...part, input_audio: { ...part.input_audio, data: reference ?? data } };
      }
      case 'file': {
        const { file_data: data, filename } = part.file;
        if (data === undefined) return part;
        const name = filename?.replaceAll(/[/\\]/g, '_') ?? null;
        return { ...part, file: { ...part.file, file_data: storeUrl(data, name) } };
      }
    }
  }

  const storeContent = (content: Content): Content =>
    typeof content === 'string' ? content : content.map(storePart);
  const conversations = file.conversations.map((conversation) => ({
    ...conversation,
    messages: conversation.messages.map((message) => ({
      ...message,
      content: message.wire === null ? storeContent(message.content) : message.content,
    })),
  }));
  return { ...file, conversations, media };
}
