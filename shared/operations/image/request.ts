/** Defines the image request, its limits and the form input. */
import { z } from 'zod';
import { jsonObjectSchema } from '../../json-schema.ts';
import { mediaField } from '../form/media-places.ts';

const base64 = z.string().meta(mediaField('base64'));

/** Gateways accept inline data in either camelCase or snake_case. */
const partSchema = z.looseObject({
  text: z.string().optional(),
  inlineData: z.looseObject({ mimeType: z.string().optional(), data: base64 }).optional(),
  inline_data: z.looseObject({ mime_type: z.string().optional(), data: base64 }).optional(),
});

const contentSchema = z.looseObject({
  role: z.string().optional(),
  parts: z.array(partSchema).min(1, 'Each content needs at least one part.'),
});

const generationConfigSchema = z.looseObject({
  /** The API documents `TEXT` and `IMAGE` but may accept other values. */
  responseModalities: z.array(z.string()).optional(),
  imageConfig: z
    .looseObject({
      aspectRatio: z.string().optional(),
      imageSize: z.string().optional(),
    })
    .optional(),
});

export const imageRequestSchema = z.object({
  /** Sent in the path, not in the body. */
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  contents: z.array(contentSchema, 'Enter a prompt first.').min(1, 'Enter a prompt first.'),
  /** The panel renders separate controls for the image settings. */
  generationConfig: generationConfigSchema.optional(),
});
export type ImageRequest = z.infer<typeof imageRequestSchema>;

const storedImageSchema = z.object({ mediaId: z.string(), mimeType: z.string() });

/** The part as the model sent it, including its signature; undefined for a plain part. */
const raw = jsonObjectSchema.optional();

/** An item of `contents`, with images as references. */
const turnSchema = z.object({
  role: z.string(),
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string(), raw }),
      storedImageSchema.extend({ type: z.literal('image'), raw }),
      z.object({ type: z.literal('other'), raw: jsonObjectSchema }),
    ]),
  ),
});

export const imageInputSchema = z.object({
  prompt: z.string(),
  images: z.array(storedImageSchema),
  earlier: z.array(turnSchema),
  responseModalities: z.array(z.string()).nullable(),
  aspectRatio: z.string(),
  imageSize: z.string(),
  moreConfig: z.string(),
});
export type ImageInput = z.infer<typeof imageInputSchema>;
