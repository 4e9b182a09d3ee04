/** What every area of the contract is built from. */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';

/** Expected failures cross as `APP_ERROR` with an `AppError`; anything else is a defect. */
export const procedure = oc.errors({ APP_ERROR: { data: appErrorSchema } });

/** The input of a procedure that speaks of one thing. */
export const byId = z.object({ id: z.string() });
