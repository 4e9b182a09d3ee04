/** Defines the completion request, its limits and the form input. */
import { z } from 'zod';
import { stopSchema } from '../chat/request.ts';
import { meta } from '../form/field-meta.ts';
import { decimal, wholeNumber } from '../form/number-fields.ts';

export const completionRequestSchema = z.object({
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  /** An empty prompt is valid: the model starts the text. */
  prompt: z.string('Enter text.'),
  /** The panel renders a separate text box for the suffix. */
  suffix: z.string().optional(),
  temperature: decimal()
    .optional()
    .meta(
      meta({
        title: 'Temperature',
        description:
          'Higher values make the text more varied; lower values make it more predictable.',
        group: 'Sampling',
        control: 'number',
        step: 0.05,
        startValue: 1,
      }),
    ),
  top_p: decimal()
    .optional()
    .meta(
      meta({
        title: 'Top p',
        description:
          'Sample only from the most likely tokens whose probabilities add up to this value.',
        group: 'Sampling',
        control: 'number',
        step: 0.01,
        startValue: 1,
      }),
    ),
  max_tokens: wholeNumber()
    .optional()
    .meta(
      meta({
        title: 'Max tokens',
        description: 'Maximum number of tokens in the continuation.',
        group: 'Length',
        control: 'number',
        startValue: 256,
      }),
    ),
  stop: stopSchema.optional().meta(
    meta({
      title: 'Stop sequence',
      description: 'Stop at this text. In a list, one per line.',
      group: 'Length',
      control: 'lines',
      startValue: '',
    }),
  ),
  n: wholeNumber()
    .optional()
    .meta(
      meta({
        title: 'Choices (n)',
        description: 'Number of continuations to generate. Each one is billed.',
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
        description: 'Receive the text as it is generated.',
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
        description: 'Repeat the prompt before the continuation.',
        group: 'Output',
        control: 'switch',
        startValue: true,
      }),
    ),
});
export type CompletionRequest = z.infer<typeof completionRequestSchema>;

export const completionInputSchema = z.object({ prompt: z.string(), suffix: z.string() });
export type CompletionInput = z.infer<typeof completionInputSchema>;
