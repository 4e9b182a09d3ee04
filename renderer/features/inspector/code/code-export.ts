import { isJsonObject, parseJson } from '../../../../shared/json.ts';
import type { RunView } from '../../../../shared/run.ts';
import { curlOf } from './code-export-curl.ts';
import { pythonOf } from './code-export-python.ts';
import type { CodeReply, SentRequest } from './code-export-request.ts';
import { typescriptOf } from './code-export-typescript.ts';

export const codeLanguages = [
  { value: 'curl', label: 'curl', write: curlOf },
  { value: 'typescript', label: 'TypeScript', write: typescriptOf },
  { value: 'python', label: 'Python', write: pythonOf },
] as const;
export type CodeLanguage = (typeof codeLanguages)[number]['value'];

export function codeOf(language: CodeLanguage, sent: SentRequest, reply: CodeReply): string {
  const { write } = codeLanguages.find(({ value }) => value === language) ?? codeLanguages[0];
  return write(sent, reply);
}

/** How the reply of a run is to be taken: bytes into a file, a stream as it comes. */
export function codeReplyOf(
  { operation, state }: Pick<RunView, 'operation' | 'state'>,
  sent: SentRequest,
): CodeReply {
  const body = parseJson(sent.body ?? '');
  if (operation === 'speech') {
    const format = isJsonObject(body) ? body.response_format : null;
    return { kind: 'file', name: `speech.${typeof format === 'string' ? format : 'mp3'}` };
  }
  const media = isJsonObject(state) ? state.media : null;
  if (operation === 'console' && isJsonObject(media)) {
    const extension = /^[\w.-]+\/(?:x-)?([a-z0-9]+)$/.exec(String(media.type))?.[1] ?? 'bin';
    return { kind: 'file', name: `reply.${extension === 'mpeg' ? 'mp3' : extension}` };
  }
  const streams = isJsonObject(body) && body.stream === true;
  return streams ? { kind: 'stream' } : { kind: 'text' };
}
