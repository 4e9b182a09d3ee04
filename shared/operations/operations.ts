/** Lists all operations and request schemas. */

import type { z } from 'zod';
import { chatOperation } from './chat/chat.ts';
import { getChatRequestSchema } from './chat/request.ts';
import { completionOperation } from './completion/completion.ts';
import { getCompletionRequestSchema } from './completion/request.ts';
import { consoleOperation } from './console/console.ts';
import { getConsoleRequestSchema } from './console/request.ts';
import { embeddingsOperation } from './embeddings/embeddings.ts';
import { getEmbeddingsRequestSchema } from './embeddings/request.ts';
import { imageOperation } from './image/image.ts';
import { getImageRequestSchema } from './image/request.ts';
import type { Operation } from './operation.ts';
import type { OperationName } from './operation-name.ts';
import { getRerankRequestSchema } from './rerank/request.ts';
import { rerankOperation } from './rerank/rerank.ts';
import { getSpeechRequestSchema } from './speech/request.ts';
import { speechOperation } from './speech/speech.ts';
import { getTranscriptionRequestSchema } from './transcription/request.ts';
import { transcriptionOperation } from './transcription/transcription.ts';
import { getVideoRequestSchema } from './video/request.ts';
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

/**
 * The single source of limits for the form, validation and the demo gateway's 400 errors. Each is
 * created on first use, so that the first panel doesn't wait for those of the others.
 */
export const requestSchemas: {
  readonly [Name in OperationName]: z.ZodObject & z.ZodType<RequestOf<Name>>;
} = {
  get chat() {
    return getChatRequestSchema();
  },
  get completion() {
    return getCompletionRequestSchema();
  },
  get image() {
    return getImageRequestSchema();
  },
  get video() {
    return getVideoRequestSchema();
  },
  get rerank() {
    return getRerankRequestSchema();
  },
  get embeddings() {
    return getEmbeddingsRequestSchema();
  },
  get speech() {
    return getSpeechRequestSchema();
  },
  get transcription() {
    return getTranscriptionRequestSchema();
  },
  get console() {
    return getConsoleRequestSchema();
  },
};
