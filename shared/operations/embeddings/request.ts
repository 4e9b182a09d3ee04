/** Defines the embeddings request, its limits and its form input. */
import { z } from 'zod';
import { once } from '../../once.ts';
import { parameter } from '../form/field-meta.ts';
import { createMediaReferenceSchema, markMediaField } from '../form/media-places.ts';
import { wholeNumber } from '../form/number-fields.ts';
import { columnsByTextSchema } from '../rerank/request.ts';

/** An object with an image is a convention of multimodal models; see docs/formats.md. */
const embeddingInputSchema = z.union([
  z.string(),
  z.array(wholeNumber()),
  z.looseObject({ image: z.string().min(1).meta(markMediaField('base64')) }),
  z.looseObject({ text: z.string() }),
]);

export const MAX_BATCH_SIZE = 2048;
export const DEFAULT_BATCH_SIZE = 100;

export const getEmbeddingsRequestSchema = once(() =>
  z.object({
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    input: z.union(
      [z.string().min(1), z.array(wholeNumber()).min(1), z.array(embeddingInputSchema).min(1)],
      'Add at least one input.',
    ),
    dimensions: parameter(wholeNumber({ minimum: 1 }), {
      title: 'Dimensions',
      description: 'Length of each vector. Only some models can shorten their vectors.',
      group: 'Output',
      control: 'number',
      startValue: 256,
    }),
    encoding_format: parameter(z.string().min(1), {
      title: 'Encoding format',
      description: 'How vectors are written in the response. Gatehouse decodes base64.',
      group: 'Output',
      control: 'text',
      gatewayDefault: 'float',
      startValue: 'base64',
      suggestions: ['float', 'base64'],
    }),
    user: parameter(z.string().min(1), {
      title: 'User',
      description: 'ID of your end user, which helps the gateway detect abuse.',
      group: 'Other',
      control: 'text',
      more: true,
    }),
    /** Used by Gatehouse itself and never sent. */
    batch_size: parameter(wholeNumber({ minimum: 1, maximum: MAX_BATCH_SIZE }), {
      title: 'Batch size',
      description: `Inputs per request; ${DEFAULT_BATCH_SIZE} if not set. More inputs are sent in several requests.`,
      group: 'Other',
      control: 'number',
      startValue: DEFAULT_BATCH_SIZE,
    }),
    /** The vectors of an earlier run with the same inputs, which this run completes; never sent. */
    resume: z
      .strictObject({
        media: createMediaReferenceSchema('Choose a file of vectors.'),
        count: z.int().positive(),
        dimensions: z.int().positive(),
      })
      .optional(),
  }),
);
export type EmbeddingsRequest = z.infer<ReturnType<typeof getEmbeddingsRequestSchema>>;

export const embeddingsInputSchema = z.object({
  /** One input per line; `↵` stands for a line break within an input. */
  texts: z.string(),
  columns: columnsByTextSchema,
  /** Media IDs of images, which are sent after the texts. */
  imageIds: z.array(z.string()),
});
export type EmbeddingsInput = z.infer<typeof embeddingsInputSchema>;
