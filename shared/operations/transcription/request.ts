/** Request of `POST /v1/audio/transcriptions` (multipart/form-data). */
import { z } from 'zod';
import { meta } from '../form/field-meta.ts';
import { mediaFile } from '../form/media-places.ts';
import { decimal } from '../form/number-schema.ts';
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
        description: 'Language of the audio, as a two-letter ISO 639-1 code.',
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
        description: 'Names, terms or preceding text to guide the model.',
        group: 'Audio',
        control: 'multiline',
        startValue: '',
      }),
    ),
  temperature: decimal()
    .optional()
    .meta(
      meta({
        title: 'Temperature',
        description: 'Higher values make the text more varied; 0 is the most predictable.',
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
        description: 'Response format. verbose_json includes timestamps.',
        group: 'Output',
        control: 'choice',
        startValue: 'verbose_json',
      }),
    ),
  /** Each word becomes its own form field. */
  timestamp_granularities: z
    .array(z.enum(['word', 'segment']))
    .optional()
    .meta(
      meta({
        title: 'Timestamps',
        description: 'Timestamp words, segments or both. Requires verbose_json.',
        group: 'Output',
        control: 'choices',
        startValue: ['segment'],
      }),
    ),
});

export type TranscriptionRequest = z.infer<typeof transcriptionRequestSchema>;
