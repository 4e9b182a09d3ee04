import type { Media } from '../../../shared/media.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations } from '../../../shared/operations/operations.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { SentRequest } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { getCurl } from './curl.ts';
import { getGo } from './go.ts';
import { getJava } from './java.ts';
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

export function getCode(language: CodeLanguage, sent: SentRequest, response: CodeResponse): string {
  const { write } = codeLanguages.find(({ value }) => value === language) ?? codeLanguages[0];
  return write(sent, response);
}

/** The media item in the response, or null if there is none. */
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
