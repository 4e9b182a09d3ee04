/** Request of `POST /v1/completions`. The interface shows no ranges here, so there are none. */
import { z } from 'zod';
import { meta } from '../form/field-meta.ts';

export const completionRequestSchema = z.object({
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  prompt: z.string('Write a prompt first.').min(1, 'Write a prompt first.'),
  /** What follows the gap that is to be filled; the panel has its own box for it. */
  suffix: z.string().optional(),
  temperature: z
    .number()
    .optional()
    .meta(
      meta({
        title: 'Temperature',
        description: 'Higher values make the text more varied, lower ones more repeatable.',
        group: 'Sampling',
        control: 'number',
        step: 0.05,
        startValue: 1,
      }),
    ),
  top_p: z
    .number()
    .optional()
    .meta(
      meta({
        title: 'Top p',
        description: 'Only the most likely tokens that add up to this probability are considered.',
        group: 'Sampling',
        control: 'number',
        step: 0.01,
        startValue: 1,
      }),
    ),
  max_tokens: z
    .int('Enter a whole number.')
    .optional()
    .meta(
      meta({
        title: 'Max tokens',
        description: 'The most tokens the continuation may have.',
        group: 'Length',
        control: 'number',
        startValue: 256,
      }),
    ),
  stop: z
    .string()
    .optional()
    .meta(
      meta({
        title: 'Stop sequence',
        description: 'The text ends before this; a line break counts.',
        group: 'Length',
        control: 'multiline',
        startValue: '',
      }),
    ),
  n: z
    .int('Enter a whole number.')
    .optional()
    .meta(
      meta({
        title: 'Choices (n)',
        description: 'How many continuations to generate; each is billed.',
        group: 'Output',
        control: 'number',
        startValue: 1,
      }),
    ),
  stream: z
    .boolean()
    .optional()
    .meta(
      meta({
        title: 'Stream',
        description: 'The text arrives piece by piece instead of all at once.',
        group: 'Output',
        control: 'switch',
        startValue: true,
      }),
    ),
  echo: z
    .boolean()
    .optional()
    .meta(
      meta({
        title: 'Echo',
        description: 'The reply repeats the prompt before its continuation.',
        group: 'Output',
        control: 'switch',
        startValue: true,
      }),
    ),
});
export type CompletionRequest = z.infer<typeof completionRequestSchema>;
