/** What every area of the contract is built from. */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** Expected failures cross as `APP_ERROR` with an `AppError`; anything else is a defect. */
export const procedure = oc.errors({ APP_ERROR: { data: appErrorSchema } });

/** What a procedure that deletes answers; null where nothing is left to bring back. */
export const deletedSchema = z.object({ deletionId: z.string().nullable() });

/** The input of a procedure that speaks of one thing. */
export const byId = z.object({ id: z.string() });
