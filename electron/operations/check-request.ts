/** The check before sending: a request that breaks a limit of the interface never leaves. */
import { AppFailure, appError, type FieldError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import type { Endpoint } from '../../shared/operations/operation.ts';

/**
 * Throws an `invalid-request` failure that names every field at fault, unknown ones too (what the
 * interface does not know belongs into the extra body fields).
 */
export function checkRequest(endpoint: Pick<Endpoint, 'requestSchema'>, request: JsonObject): void {
  const fields = findFieldErrors(endpoint.requestSchema.strict(), request);
  if (fields.length === 0) return;
  throw new AppFailure(
    appError('invalid-request', whatHappened(fields), 'Correct it and run again.', { fields }),
  );
}

function whatHappened(fields: FieldError[]): string {
  const [first] = fields;
  if (fields.length > 1 || first === undefined) {
    return `The request was not sent: ${fields.length} fields need a correction.`;
  }
  return `The request was not sent. ${first.path.join('.')}: ${first.message}`;
}
