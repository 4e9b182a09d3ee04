/** The request schema of every operation: limits, labels and help. */
import type { z } from 'zod';
import { chatRequestSchema } from './chat/request.ts';
import { completionRequestSchema } from './completion/request.ts';
import { consoleRequestSchema } from './console/request.ts';
import { imageRequestSchema } from './image/request.ts';
import type { OperationName } from './operation-name.ts';
import type { RequestOf } from './operations.ts';
import { rerankRequestSchema } from './rerank/request.ts';
import { speechRequestSchema } from './speech/request.ts';
import { transcriptionRequestSchema } from './transcription/request.ts';
import { videoRequestSchema } from './video/request.ts';

/**
 * The single source of limits: the parameter form, the check before sending and the demo gateway's 400
 * all come from it.
 */
export const requestSchemas: {
  readonly [Name in OperationName]: z.ZodObject & z.ZodType<RequestOf<Name>>;
} = {
  chat: chatRequestSchema,
  completion: completionRequestSchema,
  image: imageRequestSchema,
  video: videoRequestSchema,
  rerank: rerankRequestSchema,
  speech: speechRequestSchema,
  transcription: transcriptionRequestSchema,
  console: consoleRequestSchema,
};
