import type { Media } from '../../../shared/media.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations } from '../../../shared/operations/operations.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { SentRequest } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { toCodeRequest } from './code-request.ts';
import { getCurl } from './curl.ts';
import { getGo } from './go.ts';
import { getJava } from './java.ts';
import { getOfficialPython } from './official-python.ts';
import { hasLongFraction, type OfficialCall, toOfficialCall } from './official-request.ts';
import { getOfficialTypescript } from './official-typescript.ts';
import { getPython } from './python.ts';
import { getTypescript } from './typescript.ts';

export const codeLanguages = [
  { value: 'curl', label: 'curl', write: getCurl },
  { value: 'python', label: 'Python', write: getPython },
  { value: 'typescript', label: 'TypeScript', write: getTypescript },
  { value: 'go', label: 'Go', write: getGo },
  { value: 'java', label: 'Java', write: getJava },
] as const;
export type CodeLanguage = (typeof codeLanguages)[number]['value'];

/** `http` is the language's built-in client, or else its most popular one. */
export type CodeClient = 'http' | OfficialCall['client'];

const clientLabels = { http: { python: 'requests', typescript: 'fetch' } } as const;

/** Returns the clients that can send the request; languages without a choice have one. */
export function getCodeClients(
  language: CodeLanguage,
  sent: SentRequest,
  response: CodeResponse,
): { value: CodeClient; label: string }[] {
  if (language !== 'python' && language !== 'typescript') return [{ value: 'http', label: 'HTTP' }];
  const call = getOfficialCall(language, sent, response);
  return [
    { value: 'http', label: clientLabels.http[language] },
    ...(call === null ? [] : [{ value: call.client, label: call.client }]),
  ];
}

/** Returns the command that installs the client; null if it's built in. */
export function getInstallCommand(language: CodeLanguage, client: CodeClient): string | null {
  if (language === 'python') return `pip install ${client === 'http' ? 'requests' : client}`;
  if (language !== 'typescript' || client === 'http') return null;
  return `npm install ${client === 'openai' ? 'openai' : '@anthropic-ai/sdk'}`;
}

/** Uses the standard client if the chosen one can't send the request. */
export function getCode(
  language: CodeLanguage,
  sent: SentRequest,
  response: CodeResponse,
  client: CodeClient = 'http',
): string {
  if (client !== 'http' && (language === 'python' || language === 'typescript')) {
    const call = getOfficialCall(language, sent, response);
    const write = language === 'python' ? getOfficialPython : getOfficialTypescript;
    if (call?.client === client) return write(call);
  }
  const { write } = codeLanguages.find(({ value }) => value === language) ?? codeLanguages[0];
  return write(sent, response);
}

function getOfficialCall(
  language: 'python' | 'typescript',
  sent: SentRequest,
  response: CodeResponse,
): OfficialCall | null {
  const request = toCodeRequest(sent);
  const { body } = request;
  if (language === 'python' && body.kind === 'json' && hasLongFraction(body.value)) return null;
  return toOfficialCall(request, response);
}

/** `file` is the media item in the response, or null if there is none. */
export function getCodeResponse<Name extends OperationName>(
  view: RunView<Name>,
  sent: SentRequest,
  file: Media | null,
): CodeResponse {
  if (sent.method === 'GET' && file !== null) {
    return { kind: 'file', name: file.name ?? 'response.bin' };
  }
  const body = parseJson(sent.body ?? '') ?? null;
  return operations[view.operation].codeResponse(view.state, body);
}
