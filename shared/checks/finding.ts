/** Defines a finding: whether the response has one thing that the request asked for. */
import { z } from 'zod';

export const askedNameSchema = z.enum([
  'model',
  'choices',
  'stop',
  'max-tokens',
  'schema',
  'arguments',
  'usage',
  'pixels',
  'audio-format',
  'audio-rate',
  'video-size',
  'duration',
  'order',
  'top-n',
  'timestamps',
  'dimensions',
]);
export type AskedName = z.infer<typeof askedNameSchema>;

export const findingSchema = z.object({
  name: askedNameSchema,
  holds: z.boolean(),
  /** One sentence with the request's value and the response's. */
  note: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;

export const findingLabels: Record<AskedName, string> = {
  model: 'Model',
  choices: 'Choices',
  stop: 'Stop sequences',
  'max-tokens': 'Max tokens',
  schema: 'JSON schema',
  arguments: 'Arguments',
  usage: 'Usage',
  pixels: 'Pixels',
  'audio-format': 'Audio format',
  'audio-rate': 'Sample rate',
  'video-size': 'Video size',
  duration: 'Duration',
  order: 'Order',
  'top-n': 'Top n',
  timestamps: 'Timestamps',
  dimensions: 'Dimensions',
};
