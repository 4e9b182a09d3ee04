/** The endpoints a run can call; one file beside this one for each. */
import { z } from 'zod';

export const operationNameSchema = z.enum([
  'chat',
  'completion',
  'image',
  'video',
  'rerank',
  'speech',
  'transcription',
]);
export type OperationName = z.infer<typeof operationNameSchema>;
