/** Which endpoint answers which path and method. */
import { answerChat } from '../endpoints/chat.ts';
import { answerCompletion } from '../endpoints/completion.ts';
import { answerImage } from '../endpoints/image.ts';
import { answerFineTunes, answerModelList } from '../endpoints/model-list.ts';
import { answerRerank } from '../endpoints/rerank.ts';
import { answerSpeech } from '../endpoints/speech.ts';
import { answerTranscription } from '../endpoints/transcription.ts';
import { answerVideoStatus, sendVideo, submitVideo } from '../endpoints/video.ts';
import type { Endpoint } from './exchange.ts';
import { DemoError } from './failure.ts';

const ROUTES: readonly [string, RegExp, Endpoint][] = [
  ['POST', /^\/v1\/chat\/completions$/, answerChat],
  ['POST', /^\/v1\/completions$/, answerCompletion],
  ['GET', /^\/v1\/models$/, answerModelList],
  ['POST', /^\/v1beta\/models\/([^/]+):generateContent$/, answerImage],
  ['POST', /^\/v1\/video\/generations$/, submitVideo],
  ['GET', /^\/v1\/video\/generations\/([^/]+)$/, answerVideoStatus],
  ['GET', /^\/v1\/video\/generations\/([^/]+)\/content$/, sendVideo],
  ['POST', /^\/v1\/rerank$/, answerRerank],
  ['POST', /^\/v1\/audio\/speech$/, answerSpeech],
  ['POST', /^\/v1\/audio\/transcriptions$/, answerTranscription],
  ['POST', /^\/v1\/fine-tunes$/, answerFineTunes],
];

/** Throws 404 for an unknown path and 405 for a known one with another method. */
export function findRoute(method: string, path: string): { answer: Endpoint; parameter: string } {
  const here = ROUTES.filter(([, pattern]) => pattern.test(path));
  const [first] = here;
  if (first === undefined) {
    throw new DemoError(404, `Unknown endpoint: ${method} ${path.slice(0, 200)}.`, {
      type: 'invalid_request_error',
      code: 'not_found',
    });
  }
  const match = here.find(([allowed]) => allowed === method);
  if (match === undefined) {
    throw new DemoError(405, `${path} supports ${first[0]}, not ${method}.`, {
      type: 'invalid_request_error',
      code: 'method_not_allowed',
      headers: { allow: here.map(([allowed]) => allowed).join(', ') },
    });
  }
  const [, pattern, answer] = match;
  return { answer, parameter: decode(pattern.exec(path)?.[1] ?? '') };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
