/** Defines the transcription request, its limits and the form input. */
import { z } from 'zod';
import { once } from '../../once.ts';
import { parameter } from '../form/field-meta.ts';
import { createMediaReferenceSchema } from '../form/media-places.ts';
import { decimal } from '../form/number-fields.ts';

const CODES =
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu';

/** Sorted by name, so that the list is easy to scan. */
export function listIsoLanguages(): { value: string; name: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return (
    CODES.split(' ')
      .map((value) => ({ value, name: names.of(value) ?? value }))
      // All names begin with an ASCII letter, and a collator takes long to start.
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  );
}

export const getTranscriptionRequestSchema = once(() =>
  z.object({
    file: createMediaReferenceSchema('Record or choose an audio file first.'),
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    language: parameter(
      z.string().regex(/^[a-z]{2}$/i, 'Enter a two-letter ISO 639-1 code such as en or de.'),
      {
        title: 'Language',
        description: 'Language of the audio, as a two-letter ISO 639-1 code.',
        group: 'Audio',
        control: 'text',
        startValue: 'en',
        suggestions: listIsoLanguages(),
      },
    ),
    prompt: parameter(z.string(), {
      title: 'Prompt',
      description: 'Names, terms or previous text to guide the model.',
      group: 'Audio',
      control: 'multiline',
      startValue: '',
    }),
    temperature: parameter(decimal(), {
      title: 'Temperature',
      description: 'Higher values make the text more varied; 0 is the most predictable.',
      group: 'Sampling',
      control: 'number',
      step: 0.05,
      startValue: 0,
    }),
    response_format: parameter(
      z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']),
      {
        title: 'Format',
        description:
          'Response format. verbose_json includes timestamps, diarized_json also speakers.',
        group: 'Output',
        control: 'choice',
        startValue: 'verbose_json',
      },
    ),
    /** The request repeats this form field once per value. */
    timestamp_granularities: parameter(z.array(z.enum(['word', 'segment'])), {
      title: 'Timestamps',
      description: 'Add timestamps to words, segments or both. Requires verbose_json.',
      group: 'Output',
      control: 'choices',
      startValue: ['segment'],
    }),
    stream: parameter(z.boolean(), {
      title: 'Stream',
      description: 'Show the text while it is transcribed, if the model supports it.',
      group: 'Output',
      control: 'switch',
      startValue: true,
    }),
  }),
);

export type TranscriptionRequest = z.infer<ReturnType<typeof getTranscriptionRequestSchema>>;

export const transcriptionInputSchema = z.object({ mediaId: z.string().nullable() });
export type TranscriptionInput = z.infer<typeof transcriptionInputSchema>;
