/**
 * Text fields of `POST /v1/audio/transcriptions` (multipart/form-data). The audio file is a part of its
 * own and stands beside them, not among them.
 */
import { z } from 'zod';
import type { JsonObject } from '../json.ts';
import { meta } from './field-meta.ts';
import type { Endpoint } from './operation.ts';

export const transcriptionRequestSchema = z.object({
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
        suggestions: ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh', 'ko'],
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

export const transcriptionEndpoint: Endpoint<TranscriptionRequest> = {
  name: 'transcription',
  label: 'Transcription',
  method: 'POST',
  path: '/v1/audio/transcriptions',
  requestSchema: transcriptionRequestSchema,
  draft: {},
};

/**
 * The text fields of a received form as the schema wants them: numbers as numbers, and both spellings of
 * the repeated field (`timestamp_granularities`, `…[]`) as one list.
 */
export function readTranscriptionForm(fields: Iterable<[string, string]>): JsonObject {
  const request: JsonObject = {};
  const granularities: string[] = [];
  for (const [name, value] of fields) {
    if (name === 'timestamp_granularities' || name === 'timestamp_granularities[]') {
      granularities.push(value);
    } else if (name === 'temperature' && value.trim() !== '' && Number.isFinite(Number(value))) {
      request[name] = Number(value);
    } else request[name] = value;
  }
  if (granularities.length > 0) request.timestamp_granularities = granularities;
  return request;
}
