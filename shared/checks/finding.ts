/** Defines a finding: whether the response has one thing that the request asked for. */
import { z } from 'zod';

const TEXT = 'choices[0].message.content';

/** `place` is where a chat or other response shows it. */
export const findingTypes = {
  model: { label: 'Model', place: 'model' },
  choices: { label: 'Choices', place: 'choices' },
  stop: { label: 'Stop sequences', place: TEXT },
  'max-tokens': { label: 'Max tokens', place: 'usage.completion_tokens' },
  schema: { label: 'JSON schema', place: TEXT },
  arguments: { label: 'Arguments', place: 'choices[0].message.tool_calls' },
  usage: { label: 'Usage', place: 'usage' },
  pixels: { label: 'Pixels', place: 'image' },
  'audio-format': { label: 'Audio format', place: 'audio' },
  'audio-rate': { label: 'Sample rate', place: 'audio' },
  'video-size': { label: 'Video size', place: 'video' },
  duration: { label: 'Duration', place: 'video' },
  order: { label: 'Order', place: 'results' },
  'top-n': { label: 'Top n', place: 'results' },
  timestamps: { label: 'Timestamps', place: 'segments' },
  dimensions: { label: 'Dimensions', place: 'data[0].embedding' },
};
export type AskedName = keyof typeof findingTypes;

export const findingSchema = z.object({
  name: z.enum(Object.keys(findingTypes) as AskedName[]),
  holds: z.boolean(),
  /** One sentence with the request's value and the response's. */
  note: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;
