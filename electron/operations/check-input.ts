/** The check before sending: an input that breaks a limit of the interface never leaves. */
import { appError, type FieldError, UserFacingError } from '../../shared/errors.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import type { FileName } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { previewLine } from '../../shared/operations/reply/describe-reply.ts';
import { requestSchemas } from '../../shared/operations/request-schemas.ts';
import { findWireNameErrors, trimWireNames } from '../../shared/operations/wire-names.ts';
import type { PartialRunInput, RunInput } from '../../shared/run-input.ts';

export interface CheckedInput extends RunInput {
  /** Empty for what names no model, such as a request of the console. */
  model: string;
  /** One line for lists. */
  preview: string;
}

/**
 * The whole input, its request as it was given. Throws an `invalid-request` failure that names every
 * field at fault, unknown ones too (what the interface does not know belongs into the extra body fields).
 * Beside a task to follow, the request only describes the video, so it is not validated.
 */
export function checkInput<Name extends OperationName>(
  operation: Name,
  { request, extraBody = {}, wireNames = {}, follow = null }: PartialRunInput,
  fileName?: FileName,
): CheckedInput {
  const input: RunInput = {
    request,
    extraBody,
    wireNames: trimWireNames(wireNames),
    follow: follow === null ? null : follow.trim(),
  };
  const schema = requestSchemas[operation];
  const fields =
    input.follow === null
      ? [
          ...findFieldErrors(schema.strict(), request),
          ...findWireNameErrors(operation, input.wireNames),
        ]
      : findFollowErrors(operation, input.follow);
  if (fields.length > 0) {
    throw new UserFacingError(
      appError('invalid-request', whatHappened(fields), 'Fix the marked errors first.', { fields }),
    );
  }
  const { success, data } = schema.safeParse(request);
  return {
    ...input,
    model: typeof request.model === 'string' ? request.model : '',
    preview: success
      ? operations[operation].preview(data, fileName)
      : previewLine(`Task ${input.follow}`),
  };
}

function findFollowErrors(operation: OperationName, taskId: string): FieldError[] {
  const message = !operations[operation].followable
    ? 'This operation has no tasks to follow.'
    : taskId === ''
      ? 'Enter a task ID.'
      : null;
  return message === null ? [] : [{ path: ['follow'], message }];
}

function whatHappened(fields: FieldError[]): string {
  const [first] = fields;
  if (fields.length > 1 || first === undefined) {
    return `The request was not sent. ${fields.length} fields have errors.`;
  }
  return `The request was not sent. ${getName(first)}: ${first.message}`;
}

function getName({ path }: FieldError): string {
  const [place, field] = path;
  if (place === 'wireNames') return `API field name of ${field}`;
  if (place === 'follow') return 'Task ID';
  return path.join('.');
}
