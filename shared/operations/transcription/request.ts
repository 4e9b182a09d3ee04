/** Request of `POST /v1/audio/transcriptions` (multipart/form-data). */
import { z } from 'zod';
import { meta } from '../form/field-meta.ts';
import { mediaFile } from '../form/media-places.ts';
import { isoLanguages } from './languages.ts';

export const transcriptionRequestSchema = z.object({
  /** Sent under the medium's own name. */
  file: mediaFile('Record or choose an audio file first.'),
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  language: z
    .string()
    .regex(/^[a-z]{2}$/i, 'Enter a two-letter ISO 639-1 code such as en or de.')
    .optional()
    .meta(
      meta({
        title: 'Language',
        description: 'The spoken language as a two-letter ISO 639-1 code.',
        group: 'Audio',
        control: 'text',
        startValue: 'en',
        suggestions: isoLanguages(),
      }),
    ),
  prompt: z
    .string()
    .optional()
    .meta(
      meta({
        title: 'Prompt',
        description: 'Words that help the model: names, terms, the sentence before.',
        group: 'Audio',
        control: 'multiline',
        startValue: '',
      }),
    ),
  temperature: z
    .number()
    .optional()
    .meta(
      meta({
        title: 'Temperature',
        description: 'Higher values guess more freely, 0 is the most repeatable.',
        group: 'Sampling',
        control: 'number',
        step: 0.05,
        startValue: 0,
      }),
    ),
  response_format: z
    .enum(['json', 'text', 'srt', 'verbose_json', 'vtt'])
    .optional()
    .meta(
      meta({
        title: 'Format',
        description: 'The form of the reply; verbose_json carries times.',
        group: 'Output',
        control: 'choice',
        startValue: 'verbose_json',
      }),
    ),
  /** Each word becomes a form field of its own. */
  timestamp_granularities: z
    .array(z.enum(['word', 'segment']))
    .optional()
    .meta(
      meta({
        title: 'Timestamps',
        description: 'What gets a start and an end, in verbose_json.',
        group: 'Output',
        control: 'choices',
        startValue: ['segment'],
      }),
    ),
});

export type TranscriptionRequest = z.infer<typeof transcriptionRequestSchema>;
