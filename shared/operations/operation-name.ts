/** What a run can call: an endpoint each, and `console` for any other; one file beside this one for each. */
import { z } from 'zod';

export const operationNameSchema = z.enum([
  'chat',
  'completion',
  'image',
  'video',
  'rerank',
  'speech',
  'transcription',
  'console',
]);
export type OperationName = z.infer<typeof operationNameSchema>;
