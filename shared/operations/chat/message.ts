/** Defines the messages of a conversation. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, toJson } from '../../json.ts';
import { jsonObjectSchema, jsonValueSchema } from '../../json-schema.ts';
import { findReferencedMedia } from '../../media.ts';
import { markMediaField } from '../form/media-places.ts';
import { findBuiltInProblem } from './built-in-tools.ts';

export const roleSchema = z.enum(['system', 'user', 'assistant', 'tool', 'developer']);
export type Role = z.infer<typeof roleSchema>;

/** Keeps unknown nested fields, because gateways add their own. */
export const contentPartSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({
      url: z
        .string()
        .min(1, 'An image needs a URL or base64 data.')
        .meta(markMediaField('data-url')),
      detail: z.enum(['low', 'high', 'auto']).optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({
      data: z.string().meta(markMediaField('base64')),
      format: z.enum(['wav', 'mp3']),
    }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({
      filename: z.string().optional(),
      file_data: z.string().meta(markMediaField('data-url')).optional(),
      file_id: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('video_url'),
    video_url: z.looseObject({ url: z.string().meta(markMediaField('data-url')) }),
  }),
]);
export type ContentPart = z.infer<typeof contentPartSchema>;

/** An answer as the gateway sent it, with its deltas joined. */
export type WireMessage = { format: string; message: JsonObject };

export const contentSchema = z.union([z.string(), z.array(contentPartSchema)]);
export type Content = z.infer<typeof contentSchema>;

/** A custom tool call also has `custom`; `function` then repeats its name and input. */
export const toolCallSchema = z.looseObject({
  id: z.string(),
  type: z.enum(['function', 'custom']),
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

/** Providers run tools of other types themselves. */
export const sentToolSchema = z
  .looseObject({ type: z.string(), function: toolSchema.shape.function.optional() })
  .superRefine((tool, context) => {
    const isEmpty = tool.type === 'function' && tool.function === undefined;
    const json = toJson(tool);
    const problem = isJsonObject(json) ? findBuiltInProblem(json) : null;
    const message = isEmpty ? 'A function tool needs a function.' : problem;
    if (message !== null) context.addIssue({ code: 'custom', message });
  });
export type SentTool = z.infer<typeof sentToolSchema>;

const sentPartSchema = z.union([
  contentPartSchema,
  // Providers require the reasoning that they signed.
  z.looseObject({ type: z.enum(['thinking', 'reasoning', 'redacted_thinking']) }),
]);
export type SentPart = z.infer<typeof sentPartSchema>;

/** Gateways that number their calls require the number back. */
const callIdSchema = z.union([z.string(), z.number()]);

const sentToolCallSchema = z
  .looseObject({
    id: callIdSchema,
    type: z.enum(['function', 'custom']),
    function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
    custom: z.looseObject({ name: z.string(), input: z.string() }).optional(),
  })
  .refine((call) => call[call.type] !== undefined, 'A tool call needs a function.');

/** Returns the name and arguments of a function call or custom call. */
export function getCalled({ function: called, custom }: z.infer<typeof sentToolCallSchema>): {
  name: string;
  arguments: string;
} {
  return called ?? { name: custom?.name ?? '', arguments: custom?.input ?? '' };
}

/** An output item as received in another format; `result` may be a generated image. */
const sentItemSchema = z.looseObject({
  result: z.union([z.string().meta(markMediaField('base64')), jsonValueSchema]).optional(),
});

export const messageSchema = z.looseObject({
  /** A `function` message answers the older `function_call` field. */
  role: z.enum([...roleSchema.options, 'function']),
  /** The API requires null if an assistant message only calls tools. */
  content: z.union([z.string(), z.array(sentPartSchema)]).nullable(),
  name: z.string().optional(),
  tool_calls: z.array(sentToolCallSchema).optional(),
  tool_call_id: callIdSchema.optional(),
  /** The tool failed; each format says it in its own way. */
  is_error: z.boolean().optional(),
  items: z.array(sentItemSchema).optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** Joins the text parts and skips all other parts. */
export function getContentText(
  content: string | readonly { type: string; text?: unknown }[] | null | undefined,
  separator = '',
): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join(separator);
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
  return source === null ? null : findReferencedMedia(source);
}
