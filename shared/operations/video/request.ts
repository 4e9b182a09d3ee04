/**
 * Request of `POST /v1/video/generations`. The interface names the first five fields; the wire names
 * of the others are those of gateway-in-practice.md. It shows no minimum or maximum.
 */
import { z } from 'zod';
import { jsonObjectSchema } from '../../json-schema.ts';
import { type FieldMeta, meta } from '../form/field-meta.ts';
import { mediaField } from '../form/media-places.ts';
import { wholeNumber } from '../form/number-schema.ts';

function numberField(words: Omit<FieldMeta, 'group' | 'control'>) {
  return wholeNumber()
    .optional()
    .meta(meta({ ...words, group: 'Video', control: 'number' }));
}

export const videoRequestSchema = z
  .object({
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    /** A picture to start from needs no words. */
    prompt: z.string().optional(),
    /** A URL or base64; the panel has its own place for it. */
    image: z.string().meta(mediaField('data-url')).optional().meta({ title: 'Image' }),
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
      startValue: 1,
    }),
    response_format: z
      .string()
      .optional()
      .meta(
        meta({
          title: 'Response format',
          description: 'How the video is returned.',
          group: 'Output',
          control: 'text',
          startValue: 'url',
          suggestions: ['url'],
        }),
      ),
    /** Negative prompt, style, quality level and whatever else; the panel has rows for them. */
    metadata: jsonObjectSchema.optional().meta({ title: 'Extra parameters' }),
    user: z
      .string()
      .optional()
      .meta(
        meta({
          title: 'User',
          description: 'An ID for the end user, passed to the gateway.',
          group: 'Other',
          control: 'text',
          startValue: '',
        }),
      ),
  })
  .superRefine(({ prompt = '', image = '' }, context) => {
    if (prompt !== '' || image !== '') return;
    const message = 'Enter a prompt or attach an image first.';
    context.addIssue({ code: 'custom', path: ['prompt'], message });
  });
export type VideoRequest = z.infer<typeof videoRequestSchema>;
