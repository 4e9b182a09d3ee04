/** How each operation is carried out: most are one JSON request and its reply. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunResult } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { executeConsole } from './execute-console.ts';
import { executeJson } from './execute-json.ts';
import { executeSpeech } from './execute-speech.ts';
import { executeTranscription } from './execute-transcription.ts';
import { executeVideo } from './execute-video.ts';
import { harvestAnswer } from './harvest-media.ts';

/** Expected failures are its ending, or a `UserFacingError`; anything else that it throws is a defect. */
export type Execute<Name extends OperationName> = (context: RunContext<Name>) => Promise<RunResult>;

export const executors: { readonly [Name in OperationName]: Execute<Name> } = {
  chat: (context) => executeJson(context, harvestAnswer),
  completion: executeJson,
  image: executeJson,
  video: executeVideo,
  rerank: executeJson,
  speech: executeSpeech,
  transcription: executeTranscription,
  console: executeConsole,
};
