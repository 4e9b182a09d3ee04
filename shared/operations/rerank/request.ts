/** Request of `POST /v1/rerank`. */
import { z } from 'zod';
import { meta } from '../form/field-meta.ts';
import { wholeNumber } from '../form/number-schema.ts';

/** The interface says string; clients of the wider convention send `{text}` as well. */
const rerankDocumentSchema = z.union([z.string(), z.looseObject({ text: z.string() })]);

export const rerankRequestSchema = z.object({
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  query: z.string('Enter a query first.').min(1, 'Enter a query first.'),
  documents: z
    .array(rerankDocumentSchema, 'Add at least one document.')
    .min(1, 'Add at least one document.'),
  top_n: wholeNumber()
    .optional()
    .meta(
      meta({
        title: 'Top n',
        description: 'Return only the top N documents.',
        group: 'Output',
        control: 'number',
        startValue: 3,
      }),
    ),
  return_documents: z
    .boolean()
    .optional()
    .meta(
      meta({
        title: 'Return documents',
        description: 'Include the text of each document in the response.',
        group: 'Output',
        control: 'switch',
        startValue: true,
      }),
    ),
});
export type RerankRequest = z.infer<typeof rerankRequestSchema>;
