/** Finds errors in a document's text: those that the gateway reports, and any other mismatch. */
import { parseJson } from '../../shared/parse-json.ts';
import { reportsFailure } from './gateway-details.ts';
import { readErrorInBody, toHttpError } from './http-errors.ts';
import type { DocumentFindings, InspectedDocument } from './long-document.ts';
import { findDocumentError } from './response-errors.ts';

export function inspectDocument(given: InspectedDocument): DocumentFindings {
  const { text, head, redirects } = given;
  const now = () => given.now;
  const json = parseJson(text);
  const reported =
    head.status >= 300
      ? toHttpError(head, text, now, { url: new URL(given.url), redirects })
      : reportsFailure(json)
        ? readErrorInBody(head, text, now)
        : null;
  return {
    reported,
    mismatch: findDocumentError(given, given),
    isJson: typeof json === 'object' && json !== null,
  };
}
