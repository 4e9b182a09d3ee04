/** The building blocks of every area of the contract. */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** Expected failures cross as `APP_ERROR` with an `AppError`; anything else is a defect. */
const builder = oc.errors({ APP_ERROR: { data: appErrorSchema } });

export const procedure: typeof builder = Object.create(builder, {
  input: { value: (schema: z.ZodType) => builder.input(refusingWhatItCannotCheck(schema)) },
});

/**
 * zod compares the `length` of whatever came with a limit, also where a string was expected and an object came: it throws
 * where that `length` is an object which cannot be compared. Such an input is refused as any other that does not fit.
 */
function refusingWhatItCannotCheck<Schema extends z.ZodType>(schema: Schema): Schema {
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

/** The result of a deletion; null if nothing can be restored. */
export const deletedSchema = z.object({ deletionId: z.string().nullable() });

/** The input of a procedure that speaks of one thing. */
export const byId = z.object({ id: z.string() });
