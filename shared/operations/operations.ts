/** Lists all operations and request schemas. */

import type { z } from 'zod';
import { chatOperation } from './chat/chat.ts';
import { chatRequestSchema } from './chat/request.ts';
import { completionOperation } from './completion/completion.ts';
import { completionRequestSchema } from './completion/request.ts';
import { consoleOperation } from './console/console.ts';
import { consoleRequestSchema } from './console/request.ts';
import { embeddingsOperation } from './embeddings/embeddings.ts';
import { embeddingsRequestSchema } from './embeddings/request.ts';
import { imageOperation } from './image/image.ts';
import { imageRequestSchema } from './image/request.ts';
import type { Operation } from './operation.ts';
import type { OperationName } from './operation-name.ts';
import { rerankRequestSchema } from './rerank/request.ts';
import { rerankOperation } from './rerank/rerank.ts';
import { speechRequestSchema } from './speech/request.ts';
import { speechOperation } from './speech/speech.ts';
import { transcriptionRequestSchema } from './transcription/request.ts';
import { transcriptionOperation } from './transcription/transcription.ts';
import { videoRequestSchema } from './video/request.ts';
import { videoOperation } from './video/video.ts';

const table = {
  chat: chatOperation,
  completion: completionOperation,
  image: imageOperation,
  video: videoOperation,
  rerank: rerankOperation,
  embeddings: embeddingsOperation,
  speech: speechOperation,
  transcription: transcriptionOperation,
  console: consoleOperation,
};
type Table = typeof table;

export type RequestOf<Name extends OperationName> = Parameters<Table[Name]['preview']>[0];
export type StateOf<Name extends OperationName> = Table[Name]['initialState'];

/** Ties each operation name to its request and state types. */
export const operations: {
  readonly [Name in OperationName]: Operation<RequestOf<Name>, StateOf<Name>>;
} = table;

/** The single source of limits for the form, validation and the demo gateway's 400 errors. */
export const requestSchemas: {
  readonly [Name in OperationName]: z.ZodObject & z.ZodType<RequestOf<Name>>;
} = {
  chat: chatRequestSchema,
  completion: completionRequestSchema,
  image: imageRequestSchema,
  video: videoRequestSchema,
  rerank: rerankRequestSchema,
  embeddings: embeddingsRequestSchema,
  speech: speechRequestSchema,
  transcription: transcriptionRequestSchema,
  console: consoleRequestSchema,
};
