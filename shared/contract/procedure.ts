/** Provides the base procedure and shared schemas of the contract. */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/**
 * Expected failures cross the contract as `APP_ERROR` with an `AppError`; anything else is a bug.
 */
const builder = oc.errors({ APP_ERROR: { data: appErrorSchema } });

export const procedure: typeof builder = Object.create(builder, {
  input: { value: (schema: z.ZodType) => builder.input(rejectUncheckableInput(schema)) },
});

/** Reports a `length` that can't be compared as an input error instead of letting zod throw. */
function rejectUncheckableInput<Schema extends z.ZodType>(schema: Schema): Schema {
  const standard = schema['~standard'];
  return Object.create(schema, {
    '~standard': {
      value: {
        ...standard,
        validate: async (value: unknown) => {
          try {
            return await standard.validate(value);
          } catch (cause) {
            return { issues: [{ message: `The input can’t be checked: ${cause}`, path: [] }] };
          }
        },
      },
    },
  });
}

export const deletedSchema = z.object({ deletionId: z.string().nullable() });

export const byId = z.object({ id: z.string() });
