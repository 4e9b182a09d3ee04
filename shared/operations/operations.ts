/** Every operation that runs can start: the one table, from which the types of requests and states follow. */
import { chatOperation } from './chat/chat.ts';
import { completionOperation } from './completion/completion.ts';
import { consoleOperation } from './console/console.ts';
import { imageOperation } from './image/image.ts';
import type { Operation } from './operation.ts';
import type { OperationName } from './operation-name.ts';
import { rerankOperation } from './rerank/rerank.ts';
import { speechOperation } from './speech/speech.ts';
import { transcriptionOperation } from './transcription/transcription.ts';
import { videoOperation } from './video/video.ts';

const table = {
  chat: chatOperation,
  completion: completionOperation,
  image: imageOperation,
  video: videoOperation,
  rerank: rerankOperation,
  speech: speechOperation,
  transcription: transcriptionOperation,
  console: consoleOperation,
};
type Table = typeof table;

export type RequestOf<Name extends OperationName> = Parameters<Table[Name]['preview']>[0];
export type StateOf<Name extends OperationName> = Table[Name]['initialState'];

/** Looked up by a name, an entry goes with the request and the state of that same name. */
export const operations: {
  readonly [Name in OperationName]: Operation<RequestOf<Name>, StateOf<Name>>;
} = table;
