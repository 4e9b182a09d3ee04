/** Every operation that runs can start, and the parameter forms of all endpoints. */
import { AppFailure, appError } from '../../shared/errors.ts';
import { chatOperation } from '../../shared/operations/chat.ts';
import { completionOperation } from '../../shared/operations/completion.ts';
import { consoleEndpoint } from '../../shared/operations/console-request.ts';
import { describeOperation } from '../../shared/operations/describe.ts';
import type { OperationDescription } from '../../shared/operations/description.ts';
import { imageEndpoint } from '../../shared/operations/image-request.ts';
import type { Endpoint } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { rerankEndpoint } from '../../shared/operations/rerank-request.ts';
import { speechEndpoint } from '../../shared/operations/speech-request.ts';
import { transcriptionEndpoint } from '../../shared/operations/transcription-request.ts';
import { videoEndpoint } from '../../shared/operations/video-request.ts';
import { type AnyOperation, erase } from './any-operation.ts';

export type { AnyOperation } from './any-operation.ts';

const operations: Partial<Record<OperationName, AnyOperation>> = {
  chat: erase(chatOperation),
  completion: erase(completionOperation),
};

const endpoints: Record<OperationName, Endpoint> = {
  chat: chatOperation,
  completion: completionOperation,
  image: imageEndpoint,
  video: videoEndpoint,
  rerank: rerankEndpoint,
  speech: speechEndpoint,
  transcription: transcriptionEndpoint,
  console: consoleEndpoint,
};

/** Throws a `not-implemented` failure for an endpoint that runs cannot call yet. */
export function findOperation(name: OperationName): AnyOperation {
  const operation = operations[name];
  if (operation) return operation;
  throw new AppFailure(
    appError(
      'not-implemented',
      `${endpoints[name].label} cannot be run from Gatehouse yet.`,
      'Use the Chat or the Completion panel.',
      {},
    ),
  );
}

/** The schemas do not change while Gatehouse runs, so they are described once. The console has no form. */
let descriptions: OperationDescription[] | null = null;

export function describeOperations(): OperationDescription[] {
  descriptions ??= Object.values(endpoints)
    .filter((endpoint) => endpoint !== consoleEndpoint)
    .map(describeOperation);
  return descriptions;
}
