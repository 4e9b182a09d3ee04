/** The check before sending: an input that breaks a limit of the interface never leaves. */
import { AppFailure, appError, type FieldError } from '../../shared/errors.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import type { Endpoint } from '../../shared/operations/operation.ts';
import { findWireNameErrors, trimWireNames } from '../../shared/operations/wire-names.ts';
import type { PartialRunInput, RunInput } from '../../shared/run-input.ts';

type CheckedEndpoint = Pick<Endpoint, 'label' | 'requestSchema' | 'renamable' | 'followable'>;

/**
 * The whole input, its request as it was given. Throws an `invalid-request` failure that names every
 * field at fault, unknown ones too (what the interface does not know belongs into the extra body fields).
 * Beside a task to follow, the request only says what was asked for, so it is held to nothing.
 */
export function checkInput(
  endpoint: CheckedEndpoint,
  { request, extraBody = {}, wireNames = {}, follow = null }: PartialRunInput,
): RunInput {
  const input: RunInput = {
    request,
    extraBody,
    wireNames: trimWireNames(wireNames),
    follow: follow === null ? null : follow.trim(),
  };
  const fields =
    input.follow === null
      ? [
          ...findFieldErrors(endpoint.requestSchema.strict(), request),
          ...findWireNameErrors(endpoint, input.wireNames),
        ]
      : findFollowErrors(endpoint, input.follow);
  if (fields.length === 0) return input;
  throw new AppFailure(
    appError('invalid-request', whatHappened(fields), 'Correct it and run again.', { fields }),
  );
}

function findFollowErrors({ label, followable }: CheckedEndpoint, taskId: string): FieldError[] {
  const message = !followable
    ? `${label} has no tasks to follow.`
    : taskId === ''
      ? 'Enter the ID of a task.'
      : null;
  return message === null ? [] : [{ path: ['follow'], message }];
}

function whatHappened(fields: FieldError[]): string {
  const [first] = fields;
  if (fields.length > 1 || first === undefined) {
    return `The request was not sent: ${fields.length} fields need a correction.`;
  }
  return `The request was not sent. ${nameOf(first)}: ${first.message}`;
}

function nameOf({ path }: FieldError): string {
  const [place, field] = path;
  if (place === 'wireNames') return `API field name of ${field}`;
  if (place === 'follow') return 'Task ID';
  return path.join('.');
}
