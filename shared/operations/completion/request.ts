/** Defines the completion request, its limits and the form input. */
import { z } from 'zod';
import { once } from '../../once.ts';
import { stopSchema } from '../chat/request.ts';
import { parameter } from '../form/field-meta.ts';
import { decimal, wholeNumber } from '../form/number-fields.ts';

export const getCompletionRequestSchema = once(() =>
  z.object({
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    /** An empty prompt is valid: the model then starts a new text. */
    prompt: z.string('Enter text.'),
    suffix: z.string().optional(),
    temperature: parameter(decimal(), {
      title: 'Temperature',
      description:
        'Higher values make the text more varied; lower values make it more predictable.',
      group: 'Sampling',
      control: 'number',
      step: 0.05,
      startValue: 1,
    }),
    top_p: parameter(decimal(), {
      title: 'Top p',
      description:
        'Sample only from the most likely tokens whose probabilities add up to this value.',
      group: 'Sampling',
      control: 'number',
      step: 0.01,
      startValue: 1,
    }),
    max_tokens: parameter(wholeNumber(), {
      title: 'Max tokens',
      description: 'Maximum number of tokens in the continuation.',
      group: 'Length',
      control: 'number',
      startValue: 256,
    }),
    stop: parameter(stopSchema, {
      title: 'Stop sequence',
      description: 'Stop at this text. In a list, one per line.',
      group: 'Length',
      control: 'lines',
      startValue: '',
    }),
    n: parameter(wholeNumber(), {
      title: 'Choices (n)',
      description: 'Number of continuations to generate. Each one is billed.',
      group: 'Output',
      control: 'number',
      startValue: 1,
    }),
    stream: parameter(z.boolean(), {
      title: 'Stream',
      description: 'Receive the text as it is generated.',
      group: 'Output',
      control: 'switch',
      startValue: true,
    }),
    echo: parameter(z.boolean(), {
      title: 'Echo',
      description: 'Repeat the prompt before the continuation.',
      group: 'Output',
      control: 'switch',
      startValue: true,
    }),
    logprobs: parameter(wholeNumber({ minimum: 0 }), {
      title: 'Token probabilities',
      description: 'Ask for log probabilities with this many alternatives; the details show them.',
      group: 'Output',
      control: 'number',
      startValue: 5,
    }),
  }),
);
export type CompletionRequest = z.infer<ReturnType<typeof getCompletionRequestSchema>>;

export const completionInputSchema = z.object({ prompt: z.string(), suffix: z.string() });
export type CompletionInput = z.infer<typeof completionInputSchema>;
