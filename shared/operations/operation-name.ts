/** Lists the operation names: one per endpoint, plus `console` for arbitrary requests. */
import { z } from 'zod';

export const operationNameSchema = z.enum([
  'chat',
  'completion',
  'image',
  'video',
  'rerank',
  'embeddings',
  'speech',
  'transcription',
  'console',
]);
export type OperationName = z.infer<typeof operationNameSchema>;
