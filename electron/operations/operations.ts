/** Every operation that runs can start, and the parameter forms of those that have one. */
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { completionOperation } from '../../shared/operations/completion/completion.ts';
import { consoleOperation } from '../../shared/operations/console/console.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationDescription } from '../../shared/operations/form/description.ts';
import { imageOperation } from '../../shared/operations/image/image.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { rerankOperation } from '../../shared/operations/rerank/rerank.ts';
import { speechOperation } from '../../shared/operations/speech/speech.ts';
import { transcriptionOperation } from '../../shared/operations/transcription/transcription.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import { type AnyOperation, erase } from './any-operation.ts';
import { executeConsole } from './execute-console.ts';
import { executeSpeech } from './execute-speech.ts';
import { executeTranscription } from './execute-transcription.ts';
import { executeVideo } from './execute-video.ts';

export type { AnyOperation } from './any-operation.ts';

const operations: Record<OperationName, AnyOperation> = {
  chat: erase(chatOperation),
  completion: erase(completionOperation),
  image: erase(imageOperation),
  video: erase(videoOperation, {
    execute: executeVideo,
    outlivesMain: ({ taskId }) => taskId !== null,
    goesOnElsewhere: ({ taskId, status }) => taskId !== null && status !== 'completed',
    rests: ({ following, status }) => !following && status !== 'completed',
  }),
  rerank: erase(rerankOperation),
  speech: erase(speechOperation, { execute: executeSpeech }),
  transcription: erase(transcriptionOperation, { execute: executeTranscription }),
  console: erase(consoleOperation, { execute: executeConsole }),
};

export function findOperation(name: OperationName): AnyOperation {
  return operations[name];
}

/** The schemas do not change while Gatehouse runs, so they are described once. The console has no form. */
let descriptions: OperationDescription[] | null = null;

export function describeOperations(): OperationDescription[] {
  descriptions ??= Object.values(operations)
    .filter(({ name }) => name !== 'console')
    .map(describeOperation);
  return descriptions;
}
