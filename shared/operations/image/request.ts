/** Request of `POST /v1beta/models/{model}:generateContent`, the Gemini-style shape for images. */
import { z } from 'zod';
import { mediaField } from '../form/media-places.ts';

const base64 = z.string().meta(mediaField('base64'));

/** One part; gateways take the media of a part in camelCase and in snake_case. */
const partSchema = z.looseObject({
  text: z.string().optional(),
  inlineData: z.looseObject({ mimeType: z.string(), data: base64 }).optional(),
  inline_data: z.looseObject({ mime_type: z.string(), data: base64 }).optional(),
});

const contentSchema = z.looseObject({
  role: z.string().optional(),
  parts: z.array(partSchema).min(1, 'Each content needs at least one part.'),
});

const generationConfigSchema = z.looseObject({
  /** `TEXT` and `IMAGE` are used; the interface does not close the list. */
  responseModalities: z.array(z.string()).optional(),
  imageConfig: z
    .looseObject({
      /** Width to height: `1:1`, `16:9`. */
      aspectRatio: z.string().optional(),
      /** A label: `1K`, `2K`, `4K`. */
      imageSize: z.string().optional(),
    })
    .optional(),
});

export const imageRequestSchema = z.object({
  /** Stands in the path, not in the body. */
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  contents: z.array(contentSchema, 'Enter a prompt first.').min(1, 'Enter a prompt first.'),
  /** The panel has its own places for it. */
  generationConfig: generationConfigSchema.optional(),
});
export type ImageRequest = z.infer<typeof imageRequestSchema>;
