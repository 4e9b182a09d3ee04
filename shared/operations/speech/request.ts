/** Defines the speech request, its limits and the form input. */
import { z } from 'zod';
import { once } from '../../once.ts';
import { parameter } from '../form/field-meta.ts';
import { decimal } from '../form/number-fields.ts';

const MAX_INPUT_CHARACTERS = 4096;

/**
 * Counts Unicode code points rather than UTF-16 units, like JSON Schema's `maxLength` and Python.
 */
function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

function withinLimit(text: string): boolean {
  return text.length <= MAX_INPUT_CHARACTERS || countCharacters(text) <= MAX_INPUT_CHARACTERS;
}

export const getSpeechRequestSchema = once(() =>
  z.object({
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    input: z
      .string('Enter some text first.')
      .min(1, 'Enter some text first.')
      .refine(withinLimit, 'Use at most 4,096 characters.')
      .meta({ maxLength: MAX_INPUT_CHARACTERS }),
    /** The API lists six voices, but gateways may offer more. */
    voice: parameter(z.string(), {
      title: 'Voice',
      description: 'Choose a voice or enter one your gateway supports.',
      group: 'Audio',
      control: 'text',
      startValue: 'alloy',
      suggestions: ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'],
    }),
    response_format: parameter(z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']), {
      title: 'Format',
      description: 'Audio format of the response.',
      group: 'Audio',
      control: 'choice',
      startValue: 'mp3',
    }),
    speed: parameter(decimal({ minimum: 0.25, maximum: 4 }), {
      title: 'Speed',
      description: 'Speaking speed. 1 is normal.',
      group: 'Audio',
      control: 'slider',
      step: 0.05,
      startValue: 1,
    }),
    instructions: parameter(z.string(), {
      title: 'Instructions',
      description: 'How the voice should sound, for models that support it.',
      group: 'Audio',
      control: 'multiline',
      startValue: '',
    }),
  }),
);
export type SpeechRequest = z.infer<ReturnType<typeof getSpeechRequestSchema>>;

export const speechInputSchema = z.object({
  text: z.string(),
  /** The sample rate of raw audio in Hz, because raw audio has no header. */
  sampleRate: z.int().min(1000).max(192_000),
  channels: z.int().min(1).max(2),
});
export type SpeechInput = z.infer<typeof speechInputSchema>;
