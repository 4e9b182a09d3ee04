/** Validates an input, so that requests beyond an API limit are never sent. */
import type { z } from 'zod';
import { appError, type FieldError, UserFacingError } from '../../shared/errors.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import type { FileName } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../shared/operations/operations.ts';
import { getWireName } from '../../shared/operations/rename-fields.ts';
import { previewLine } from '../../shared/operations/response/describe-response.ts';
import type { PartialRunInput, RunInput } from '../../shared/run.ts';

export interface CheckedInput extends RunInput {
  model: string;
  preview: string;
}

/**
 * Throws `invalid-request` listing every invalid or unknown field; skips validation for an existing
 * task.
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
          ...findFieldErrors(getStrictSchema(operation), request),
          ...findWireNameErrors(operation, input.wireNames),
        ]
      : findFollowErrors(operation, input.follow);
  if (fields.length > 0) {
    throw new UserFacingError(
      appError('invalid-request', describeErrors(fields), 'Fix the marked errors first.', {
        fields,
      }),
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

const strictSchemas = new Map<OperationName, z.ZodType>();

/** Keeps the schemas, because zod compiles each new one at its first use. */
function getStrictSchema(operation: OperationName): z.ZodType {
  const known = strictSchemas.get(operation) ?? requestSchemas[operation].strict();
  strictSchemas.set(operation, known);
  return known;
}

function findFollowErrors(operation: OperationName, taskId: string): FieldError[] {
  const message = !operations[operation].followable
    ? 'This panel has no tasks to follow.'
    : taskId === ''
      ? 'Enter a task ID.'
      : null;
  return message === null ? [] : [{ path: ['follow'], message }];
}

function describeErrors(fields: FieldError[]): string {
  const [first] = fields;
  if (fields.length > 1 || first === undefined) {
    return `The request wasn’t sent. ${fields.length} fields have errors.`;
  }
  return `The request wasn’t sent. ${getName(first)}: ${first.message}`;
}

function getName({ path }: FieldError): string {
  const [place, field] = path;
  if (place === 'wireNames') return `API field name of ${field}`;
  if (place === 'follow') return 'Task ID';
  return path.join('.');
}

type WireNames = RunInput['wireNames'];

const none: ReadonlySet<string> = new Set();

function trimWireNames(wireNames: WireNames): WireNames {
  return Object.fromEntries(Object.entries(wireNames).map(([field, name]) => [field, name.trim()]));
}

/** Reports invalid fields, and empty or duplicate names, at `['wireNames', field]`. */
export function findWireNameErrors(operation: OperationName, wireNames: WireNames): FieldError[] {
  const { renamable, joined = none } = operations[operation];
  const fields = Object.keys(requestSchemas[operation].shape);
  return Object.entries(wireNames).flatMap(([field, name]) => {
    const message = !Object.hasOwn(renamable, field)
      ? `“${field}” can’t be renamed.`
      : name === ''
        ? 'Enter a field name.'
        : fields.some(
              (other) =>
                other !== field &&
                !(joined.has(field) && joined.has(other)) &&
                getWireName(other, wireNames) === name,
            )
          ? `“${name}” is already used by another field.`
          : null;
    return message === null ? [] : [{ path: ['wireNames', field], message }];
  });
}
