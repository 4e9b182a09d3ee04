/** Defines the image request, its limits and the form input. */
import { z } from 'zod';
import { jsonObjectSchema } from '../../json-schema.ts';
import { once } from '../../once.ts';
import { parameter } from '../form/field-meta.ts';
import { createMediaReferenceSchema, markMediaField } from '../form/media-places.ts';
import { wholeNumber } from '../form/number-fields.ts';

const base64 = z.string().meta(markMediaField('base64'));

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

/** Sizes and qualities are suggestions, because they differ by model. */
export const imagesParameters = {
  n: parameter(wholeNumber({ minimum: 1 }), {
    title: 'Images (n)',
    description: 'Number of images to generate. You’re billed for each.',
    group: 'Image',
    control: 'number',
    gatewayDefault: 1,
  }),
  size: parameter(z.string(), {
    title: 'Size',
    description: 'Width and height in pixels, or auto.',
    group: 'Image',
    control: 'text',
    startValue: '1024x1024',
    suggestions: ['auto', '1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792'],
  }),
  quality: parameter(z.string(), {
    title: 'Quality',
    description: 'Higher quality takes longer and costs more.',
    group: 'Image',
    control: 'text',
    startValue: 'auto',
    suggestions: ['auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd'],
  }),
  style: parameter(z.string(), {
    title: 'Style',
    description: 'Look of the image. Not sent if images are attached.',
    group: 'Image',
    more: true,
    control: 'text',
    startValue: 'vivid',
    suggestions: ['vivid', 'natural'],
  }),
  background: parameter(z.enum(['auto', 'transparent', 'opaque']), {
    title: 'Background',
    description: 'A transparent background needs PNG or WebP.',
    group: 'Image',
    control: 'choice',
    startValue: 'auto',
  }),
  image_field: parameter(z.enum(['image[]', 'image']), {
    title: 'Name of several images',
    description: 'The form field that several attached images are sent in.',
    group: 'Other',
    more: true,
    control: 'choice',
    startValue: 'image',
  }),
  input_fidelity: parameter(z.enum(['low', 'high']), {
    title: 'Input fidelity',
    description: 'How closely an edit keeps the attached images. Only sent with images.',
    group: 'Image',
    more: true,
    control: 'choice',
    startValue: 'high',
  }),
  moderation: parameter(z.enum(['auto', 'low']), {
    title: 'Moderation',
    description: 'How strictly the prompt is filtered. Not sent if images are attached.',
    group: 'Image',
    more: true,
    control: 'choice',
    startValue: 'low',
  }),
  output_format: parameter(z.string(), {
    title: 'Output format',
    description: 'File format of the images.',
    group: 'Output',
    control: 'text',
    startValue: 'png',
    suggestions: ['png', 'jpeg', 'webp'],
  }),
  output_compression: parameter(wholeNumber({ minimum: 0, maximum: 100 }), {
    title: 'Output compression',
    description: 'Quality of JPEG and WebP files, in percent.',
    group: 'Output',
    more: true,
    control: 'slider',
    step: 1,
    gatewayDefault: 100,
  }),
  response_format: parameter(z.enum(['b64_json', 'url']), {
    title: 'Response format',
    description: 'The image itself, or a URL that is downloaded. Newer models reject this field.',
    group: 'Output',
    more: true,
    control: 'choice',
    startValue: 'b64_json',
  }),
  stream: parameter(z.boolean(), {
    title: 'Stream',
    description: 'Show partial images while the image is generated.',
    group: 'Output',
    control: 'switch',
    gatewayDefault: false,
    startValue: true,
  }),
  partial_images: parameter(wholeNumber({ minimum: 0, maximum: 3 }), {
    title: 'Partial images',
    description: 'Number of previews before the image.',
    group: 'Output',
    control: 'number',
    startValue: 2,
  }),
};

export const getImageRequestSchema = once(() =>
  z.object({
    /** Sent in the path, not in the body. */
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    contents: z.array(contentSchema, 'Enter a prompt first.').min(1, 'Enter a prompt first.'),
    /** The panel renders separate controls for the image settings. */
    generationConfig: generationConfigSchema.optional(),
    format: parameter(z.enum(['images']), {
      title: 'Format',
      description: 'The API that the request is written for.',
      group: 'Other',
      control: 'choice',
    }),
    ...imagesParameters,
    /** Transparent pixels mark where the first attached image may change. */
    mask: createMediaReferenceSchema('Draw a mask or choose a file.').optional(),
  }),
);
export type ImageRequest = z.infer<ReturnType<typeof getImageRequestSchema>>;

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
  /** `imageId` is the image that the mask belongs to; another image has no mask. */
  mask: z.object({ mediaId: z.string(), imageId: z.string() }).nullable(),
});
export type ImageInput = z.infer<typeof imageInputSchema>;
