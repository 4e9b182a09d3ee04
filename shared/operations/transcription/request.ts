/**
 * Request of `POST /v1/audio/transcriptions` (multipart/form-data): the text fields of the form, and
 * what Gatehouse needs beside them to make it.
 */
import { z } from 'zod';
import type { JsonObject } from '../../json.ts';
import { referencedMedia } from '../../media-reference.ts';
import { meta } from '../form/field-meta.ts';
import type { Endpoint } from '../operation.ts';
import { isoLanguages } from './languages.ts';

/** The text fields as a gateway receives them; the audio is a part of its own. */
export const transcriptionFormSchema = z.object({
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

const CHOOSE_AUDIO = 'Record or choose an audio file first.';

export const transcriptionRequestSchema = transcriptionFormSchema.extend({
  /** `media:<id>`: streamed as the form's file, under the medium's own name. */
  file: z.string(CHOOSE_AUDIO).refine((text) => referencedMedia(text) !== null, CHOOSE_AUDIO),
  /** Not sent: how the repeated field is spelt. The interface says the first, the wider convention the second. */
  granularities_field: z
    .enum(['timestamp_granularities', 'timestamp_granularities[]'])
    .optional()
    .meta(
      meta({
        title: 'Timestamps are sent as',
        description:
          'How the timestamps field is spelt in the form; some gateways only read the one with brackets.',
        group: 'Output',
        control: 'choice',
        startValue: 'timestamp_granularities[]',
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
