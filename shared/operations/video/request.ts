/** Defines the video request, its limits and the form input. */
import { z } from 'zod';
import { jsonObjectSchema } from '../../json-schema.ts';
import { once } from '../../once.ts';
import { type FieldMeta, parameter } from '../form/field-meta.ts';
import { markMediaField } from '../form/media-places.ts';
import { wholeNumber } from '../form/number-fields.ts';
import { VIDEOS } from './image-fields.ts';

function numberField(words: Omit<FieldMeta, 'group' | 'control'>) {
  return parameter(wholeNumber(), { ...words, group: 'Video', control: 'number' });
}

/** A finished video's files other than the video itself. */
export const videoVariants = ['thumbnail', 'spritesheet'] as const;

const imageSchema = z.string().meta(markMediaField('data-url'));

export const getVideoRequestSchema = once(() =>
  z
    .object({
      model: z.string('Choose a model.').min(1, 'Choose a model.'),
      format: parameter(z.enum([VIDEOS]), {
        title: 'Format',
        description: 'The API that the request is written for.',
        group: 'Other',
        control: 'choice',
      }),
      /** Optional if the request has images. */
      prompt: z.string().optional(),
      /** URLs or base64; the panel renders a slot for each kind of image. */
      image: imageSchema.optional().meta({ title: 'First frame' }),
      last_frame: imageSchema.optional().meta({ title: 'Last frame' }),
      images: z.array(imageSchema).optional().meta({ title: 'References' }),
      duration: numberField({
        title: 'Duration',
        description: 'Length of the video in seconds.',
        startValue: 5,
      }),
      width: numberField({ title: 'Width', description: 'Width in pixels.', startValue: 1280 }),
      height: numberField({ title: 'Height', description: 'Height in pixels.', startValue: 720 }),
      fps: numberField({ title: 'Frame rate', description: 'Frames per second.', startValue: 24 }),
      seed: numberField({
        title: 'Seed',
        description: 'The same seed and settings should give the same video.',
        startValue: 1,
      }),
      n: numberField({
        title: 'Videos (n)',
        description: 'Number of videos to generate. Each one is billed.',
        more: true,
        startValue: 1,
      }),
      response_format: parameter(z.string(), {
        title: 'Response format',
        description: 'How the video is returned.',
        group: 'Output',
        more: true,
        control: 'text',
        startValue: 'url',
        suggestions: ['url'],
      }),
      remix_video_id: parameter(z.string(), {
        title: 'Remix of',
        description: 'The ID of a finished video to change. Only the prompt is sent with it.',
        group: 'Video',
        more: true,
        control: 'text',
      }),
      variants: parameter(z.array(z.enum(videoVariants)), {
        title: 'Also download',
        description: 'Images of the finished video, if the gateway has them.',
        group: 'Output',
        more: true,
        control: 'choices',
      }),
      /** The panel renders rows for `metadata`, such as a negative prompt or style. */
      metadata: jsonObjectSchema.optional().meta({ title: 'Metadata' }),
      user: parameter(z.string(), {
        title: 'User',
        description: 'An ID for the end user, passed to the gateway.',
        group: 'Other',
        more: true,
        control: 'text',
        startValue: '',
      }),
    })
    .superRefine(({ format, width, height }, context) => {
      if (format !== VIDEOS || (width === undefined) === (height === undefined)) return;
      context.addIssue({
        code: 'custom',
        path: [width === undefined ? 'width' : 'height'],
        message: 'This format sends width and height together. Set both or neither.',
      });
    })
    .superRefine(({ format, prompt = '', remix_video_id: remixed = '' }, context) => {
      if (format !== VIDEOS || remixed.trim() === '' || prompt !== '') return;
      context.addIssue({
        code: 'custom',
        path: ['prompt'],
        message: 'Enter a prompt for the remix.',
      });
    })
    .superRefine(({ prompt = '', image = '', last_frame = '', images = [] }, context) => {
      if (prompt !== '' || image !== '' || last_frame !== '' || images.length > 0) return;
      const message = 'Enter a prompt or attach an image first.';
      context.addIssue({ code: 'custom', path: ['prompt'], message });
    }),
);
export type VideoRequest = z.infer<ReturnType<typeof getVideoRequestSchema>>;

export const videoInputSchema = z.object({
  prompt: z.string(),
  /** The first frame: `media:<id>`, a URL or base64; empty if there's none. */
  image: z.string(),
  lastFrame: z.string(),
  references: z.array(z.string()),
  /** Rows of `metadata`; rows without a value aren't sent. */
  rows: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type VideoInput = z.infer<typeof videoInputSchema>;
