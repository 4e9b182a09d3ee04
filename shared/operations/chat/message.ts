/** Messages of a conversation as chat completion sends and receives them. */
import { z } from 'zod';
import { jsonObjectSchema } from '../../json-schema.ts';
import { mediaField } from '../form/media-places.ts';

export const roleSchema = z.enum(['system', 'user', 'assistant', 'tool', 'developer']);
export type Role = z.infer<typeof roleSchema>;

/** Item of a content array; unknown nested fields are passed through. */
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
  /** Null is what the convention sends for an assistant message that only calls tools. */
  content: contentSchema.nullable(),
  name: z.string().optional(),
  tool_calls: z.array(toolCallSchema).optional(),
  tool_call_id: z.string().optional(),
  reasoning_content: z.string().optional(),
});
export type Message = z.infer<typeof messageSchema>;
