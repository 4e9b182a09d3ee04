/** What is wrong with a reply of a good status, by what was asked for. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { Accepts } from './exchange-types.ts';
import { gatewaySays } from './gateway-says.ts';
import { isWebPage } from './reply-kind.ts';
import type { Reply } from './reply-reader.ts';
import { headerValue, type ResponseHead } from './response-head.ts';

type Document = Extract<Reply, { kind: 'document' }>;

/** `wanted`: what bytes should be. */
type Wanted = { accepts: Accepts; wanted: string };

/** Null for a reply that is what it should be, as far as it came. */
export function replyProblem(reply: Reply, asked: Wanted): AppError | null {
  switch (reply.kind) {
    case 'stream':
      return streamProblem(reply, asked);
    case 'bytes':
      return reply.decoding ? undecodable(reply.head, '', reply.decoding) : null;
    case 'document':
      return documentProblem(reply, asked);
  }
}

function streamProblem(
  { head, stream }: Extract<Reply, { kind: 'stream' }>,
  { accepts, wanted }: Wanted,
): AppError | null {
  if (accepts === 'bytes') {
    return malformed(head, '', `A stream of events came instead of ${wanted}.`, LOOK_INTO_IT);
  }
  // A frame that ended in the middle is a cut, which is told elsewhere.
  if (accepts === 'any' || stream.frameCount > 0 || stream.unfinished !== null) return null;
  return malformed(
    head,
    '',
    'The gateway opened a stream and ended it without sending anything.',
    'Run it again; if it goes on, try another model.',
  );
}

function documentProblem(reply: Document, { accepts, wanted }: Wanted): AppError | null {
  const { head, text, decoding } = reply;
  if (decoding) return undecodable(head, text, decoding);
  if (accepts === 'any') return null;
  if (reply.tooLong) {
    return malformed(head, text, 'The answer is longer than 64 MiB.', 'Ask for less at once.');
  }
  if (isEmpty(text, accepts)) {
    return malformed(head, text, 'The gateway answered with an empty body.', AGAIN);
  }
  switch (accepts) {
    case 'json':
      return jsonProblem(head, text);
    case 'text':
      return textProblem(head, text);
    case 'bytes':
      return fileProblem(head, text, wanted);
  }
}

/** The transcript of a silence is an empty line. */
function isEmpty(text: string, accepts: Accepts): boolean {
  return accepts === 'text' ? text === '' : text.trim() === '';
}

function jsonProblem(head: ResponseHead, text: string): AppError | null {
  if (isJsonObject(parseJson(text))) return null;
  if (/^\s*</.test(text)) return webPage(head, text, 'an answer');
  return malformed(
    head,
    text,
    'The answer is not the JSON that was expected.',
    AGAIN,
    typeOf(head) ?? 'no content type',
  );
}

function textProblem(head: ResponseHead, text: string): AppError | null {
  if (isWebPage(text)) return webPage(head, text, 'an answer');
  if (!text.includes('\0')) return null;
  return malformed(head, '', 'What came is not text.', LOOK_INTO_IT, typeOf(head));
}

/** It would have come as bytes if it had been what was wanted. */
function fileProblem(head: ResponseHead, text: string, wanted: string): AppError {
  if (isWebPage(text)) return webPage(head, text, wanted);
  const what = parseJson(text) === undefined ? 'Text' : 'JSON';
  return malformed(head, text, `${what} came instead of ${wanted}.`, LOOK_INTO_IT, typeOf(head));
}

const AGAIN = 'Run it again; if it goes on, the gateway or something before it has a problem.';
const LOOK_INTO_IT = 'Open the inspector to see what came, and check the name of the model.';

function webPage(head: ResponseHead, text: string, wanted: string): AppError {
  return malformed(
    head,
    text,
    `A web page came instead of ${wanted}.`,
    'Check the base URL: it should lead to the gateway, not to its website.',
  );
}

function undecodable(head: ResponseHead, text: string, cause: Error): AppError {
  return malformed(head, text, 'The answer cannot be decompressed.', AGAIN, cause.message);
}

function malformed(
  head: ResponseHead,
  text: string,
  message: string,
  nextStep: string,
  detail: string | null = null,
): AppError {
  return appError('malformed-response', message, nextStep, {
    gateway: gatewaySays(head, text),
    detail,
  });
}

function typeOf(head: ResponseHead): string | null {
  return headerValue(head.headers, 'content-type');
}
