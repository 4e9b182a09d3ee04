/** Executes each operation's request, which is usually a single JSON request. */
import { UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { getConsoleRequestSchema } from '../../shared/operations/console/request.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { speechOperation } from '../../shared/operations/speech/speech.ts';
import { moveTo, toHttp } from '../../shared/operations/write-request.ts';
import type { HeaderList } from '../../shared/run.ts';
import { UNKNOWN_TYPE } from '../media/sniff.ts';
import { executeEmbeddings } from './execute-embeddings.ts';
import { executeJson, type FileInfo, toTranscriptionForm } from './execute-json.ts';
import { executeVideo } from './execute-video.ts';
import { fetchFile } from './fetch-file.ts';
import { executeImage } from './fetch-images.ts';
import { createFormFile } from './form-file.ts';
import { harvestAnswer } from './harvest-media.ts';
import { createSpeechHarvest } from './harvest-speech.ts';
import type { RunContext } from './run-context.ts';
import { type RunResult, withProblem } from './run-result.ts';
import { storeInlineImages } from './store-inline-images.ts';

/**
 * Expected failures are returned or thrown as a `UserFacingError`; anything else thrown is a bug.
 */
export type Execute<Name extends OperationName> = (context: RunContext<Name>) => Promise<RunResult>;

export const executors: { readonly [Name in OperationName]: Execute<Name> } = {
  chat: executeChat,
  completion: executeJson,
  image: executeImage,
  video: executeVideo,
  rerank: executeJson,
  embeddings: executeEmbeddings,
  speech: executeSpeech,
  transcription: executeTranscription,
  console: executeConsole,
};

async function executeChat(context: RunContext<'chat'>): Promise<RunResult> {
  const done = await executeJson(context, harvestAnswer);
  try {
    await storeInlineImages(context, done.exchange);
    return done;
  } catch (cause) {
    if (!(cause instanceof UserFacingError)) throw cause;
    return withProblem(done, cause.error, context.signal);
  }
}

async function executeSpeech(context: RunContext<'speech'>): Promise<RunResult> {
  const { method, path, body } = toHttp(
    moveTo(speechOperation, context.getEndpoint()),
    context.input,
  );
  // Raw samples have no signature, and gateways label all audio as audio/mpeg.
  const unmarkedType = body.response_format === 'pcm' ? 'audio/pcm' : null;
  const { harvest, address } = createSpeechHarvest(unmarkedType);
  const sent = await context.send({
    method,
    path,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(body),
    accepts: 'bytes',
    wanted: 'audio',
    stem: 'speech',
    harvest,
    ...(unmarkedType === null ? {} : { unmarkedType }),
  });
  const url = address();
  // If the audio itself arrived, its URL is just another copy.
  if (sent.status !== 'succeeded' || url === null || context.view().state.media !== null) {
    return sent;
  }
  return fetchAudio(context, url);
}

/** The file may become available a few seconds after the response. */
const PAUSES_MS = [1000, 2000, 4000];

const AUDIO_STEPS = {
  name: 'The audio',
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run again to make new audio.',
  again: 'run again to make new audio',
};

/** Downloads the audio of a speech response that contains only a URL. */
async function fetchAudio(context: RunContext, url: string): Promise<RunResult> {
  const fetch = () =>
    fetchFile(context, url, {
      wanted: 'audio',
      stem: 'speech',
      isWanted: isAudio,
      steps: AUDIO_STEPS,
    });
  let got = await fetch();
  for (const pauseMs of PAUSES_MS) {
    if (got.kind !== 'missing') break;
    await context.pause(pauseMs);
    if (context.signal.aborted) break;
    got = await fetch();
  }
  return got.ending;
}

/** Raw samples have no signature. */
function isAudio({ kind, type, complete }: Media): boolean {
  return complete && (kind === 'audio' || type === UNKNOWN_TYPE);
}

async function executeTranscription(context: RunContext): Promise<RunResult> {
  return context.send(
    toTranscriptionForm(context.input, {
      media: context.media,
      endpoint: context.getEndpoint(),
    }),
  );
}

async function executeConsole(context: RunContext): Promise<RunResult> {
  return context.send(toConsoleHttp(context.input.request, context.media));
}

/** Returns the HTTP request that the Console sends. */
export function toConsoleHttp(input: JsonObject, media: FileInfo) {
  const request = getConsoleRequestSchema().parse(input);
  const { method, path, headers = [], multipart } = request;
  const file = multipart?.file && createFormFile(media, multipart.file.media, multipart.file);
  const body = multipart
    ? { fields: multipart.fields, files: file ? [file] : [] }
    : request.body || null;
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const needsType = typeof body === 'string' && !isTyped;
  const type: HeaderList = needsType ? [['Content-Type', 'application/json']] : [];
  return {
    method,
    path,
    headers: [...type, ...headers],
    body,
    accepts: 'any' as const,
    redirects: 'none' as const,
  };
}
