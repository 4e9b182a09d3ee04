/** Every operation that runs can start, and the parameter forms of all endpoints. */
import { AppFailure, appError } from '../../shared/errors.ts';
import { chatOperation } from '../../shared/operations/chat.ts';
import { completionOperation } from '../../shared/operations/completion.ts';
import { consoleEndpoint } from '../../shared/operations/console-request.ts';
import { describeOperation } from '../../shared/operations/describe.ts';
import type { OperationDescription } from '../../shared/operations/description.ts';
import { imageOperation } from '../../shared/operations/image.ts';
import type { Endpoint } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { rerankEndpoint } from '../../shared/operations/rerank-request.ts';
import { speechEndpoint } from '../../shared/operations/speech-request.ts';
import { transcriptionEndpoint } from '../../shared/operations/transcription-request.ts';
import { videoOperation } from '../../shared/operations/video.ts';
import { type AnyOperation, erase } from './any-operation.ts';
import { executeJson } from './execute-json.ts';
import { executeVideo } from './execute-video.ts';
import { parseFollowedTask } from './followed-task.ts';
import { harvestMedia } from './harvest-media.ts';

export type { AnyOperation } from './any-operation.ts';

const operations: Partial<Record<OperationName, AnyOperation>> = {
  chat: erase(chatOperation),
  completion: erase(completionOperation),
  image: erase(imageOperation, {
    execute: (context) => executeJson(imageOperation, context, harvestMedia),
  }),
  video: erase(videoOperation, {
    parse: parseFollowedTask,
    execute: executeVideo,
    outlivesMain: ({ taskId }) => taskId !== null,
  }),
};

const endpoints: Record<OperationName, Endpoint> = {
  chat: chatOperation,
  completion: completionOperation,
  image: imageOperation,
  video: videoOperation,
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
