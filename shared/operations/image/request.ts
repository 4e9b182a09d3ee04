/** The image request with its limits, and what its form holds. */
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

const storedImageSchema = z.object({ mediaId: z.string(), mimeType: z.string() });

/** One of the `contents` of a request, with images by reference. */
const turnSchema = z.object({
  role: z.string(),
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      storedImageSchema.extend({ type: z.literal('image') }),
    ]),
  ),
});

export const imageInputSchema = z.object({
  prompt: z.string(),
  images: z.array(storedImageSchema),
  /** The contents so far, sent before the prompt. */
  earlier: z.array(turnSchema),
  /** Null is not sent. */
  responseModalities: z.array(z.string()).nullable(),
  /** Empty is not sent, as with the size. */
  aspectRatio: z.string(),
  imageSize: z.string(),
  /** More fields of generationConfig, JSON as typed. */
  moreConfig: z.string(),
});
export type ImageInput = z.infer<typeof imageInputSchema>;
