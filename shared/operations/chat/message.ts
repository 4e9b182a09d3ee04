/** Defines the messages of a conversation and builds the request messages of a branch. */
import { z } from 'zod';
import { type JsonObject, toJson } from '../../json.ts';
import { jsonObjectSchema } from '../../json-schema.ts';
import { referencedMedia } from '../../media.ts';
import { mediaField } from '../form/media-places.ts';

export const roleSchema = z.enum(['system', 'user', 'assistant', 'tool', 'developer']);
export type Role = z.infer<typeof roleSchema>;

/** Keeps unknown nested fields, because gateways add their own. */
export const contentPartSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({
      url: z.string().min(1, 'An image needs a URL or base64 data.').meta(mediaField('data-url')),
      detail: z.enum(['low', 'high', 'auto']).optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({
      data: z.string().meta(mediaField('base64')),
      format: z.enum(['wav', 'mp3']),
    }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({
      filename: z.string().optional(),
      file_data: z.string().meta(mediaField('data-url')).optional(),
      file_id: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('video_url'),
    video_url: z.looseObject({ url: z.string().meta(mediaField('data-url')) }),
  }),
]);
export type ContentPart = z.infer<typeof contentPartSchema>;

export const contentSchema = z.union([z.string(), z.array(contentPartSchema)]);
export type Content = z.infer<typeof contentSchema>;

export const toolCallSchema = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1, 'A tool needs a name.'),
    description: z.string().optional(),
    parameters: jsonObjectSchema.optional(),
  }),
});
export type Tool = z.infer<typeof toolSchema>;

export const messageSchema = z.looseObject({
  role: roleSchema,
  /** The API requires null for an assistant message that only calls tools. */
  content: contentSchema.nullable(),
  name: z.string().optional(),
  tool_calls: z.array(toolCallSchema).optional(),
  tool_call_id: z.string().optional(),
  reasoning_content: z.string().optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** Joins the text parts and skips all other parts. */
export function getText(content: Content | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** Returns the media reference or URL; null for text and for files sent by ID. */
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

/** Returns null if the part has a URL instead of a stored media item. */
export function getMediaId(part: ContentPart): string | null {
  const source = getSource(part);
  return source === null ? null : referencedMedia(source);
}

export interface BranchMessage {
  role: Role;
  content: Content;
  name: string | null;
  reasoning: string | null;
  toolCalls: ToolCall[];
  toolCallId: string | null;
  audio: { transcript: string } | null;
}

/** Skips answers without content, because gateways reject an empty assistant message. */
export function buildChatMessages(
  systemMessage: string,
  path: readonly BranchMessage[],
  { sendReasoning }: { sendReasoning: boolean },
): JsonObject[] {
  const messages: JsonObject[] = [];
  if (systemMessage.trim() !== '') messages.push({ role: 'system', content: systemMessage });
  for (const message of path) {
    if (isEmptyAnswer(message)) continue;
    const { role, name, reasoning, toolCalls, toolCallId } = message;
    const content = getContent(message);
    messages.push({
      role,
      content: toJson(content),
      ...(name ? { name } : {}),
      ...(toolCalls.length > 0 ? { tool_calls: toJson(toolCalls) } : {}),
      ...(toolCallId ? { tool_call_id: toolCallId } : {}),
      ...(sendReasoning && reasoning ? { reasoning_content: reasoning } : {}),
    });
  }
  return messages;
}

function getContent({ content, audio }: BranchMessage): Content {
  return content.length === 0 && audio !== null ? audio.transcript : content;
}

function isEmptyAnswer(message: BranchMessage): boolean {
  const { role, toolCalls } = message;
  return role === 'assistant' && getContent(message).length === 0 && toolCalls.length === 0;
}
