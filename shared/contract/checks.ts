/** Defines the procedures for checks. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  askedRowSchema,
  checkEstimateSchema,
  checkFormatSchema,
  checkHintSchema,
  checkInputSchema,
  checkProgressSchema,
  checkSchema,
  listedCheckSchema,
} from '../checks/check.ts';
import { appErrorSchema } from '../error-schema.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

const checkPlanSchema = z.object({
  /** Empty for a load. */
  asked: z.array(askedRowSchema),
  estimate: checkEstimateSchema,
});
export type CheckPlan = z.infer<typeof checkPlanSchema>;

/** The first update contains everything. */
const checkUpdateSchema = z.object({
  /** Null if it didn't change. */
  check: checkSchema.nullable(),
  progress: checkProgressSchema,
  /** Why requests are held, such as a daily cap; null if no request failed to start. */
  heldBy: appErrorSchema.nullable(),
});
export type CheckUpdate = z.infer<typeof checkUpdateSchema>;

const overCap = z.boolean().default(false);

export const checksContract = {
  /** Says what `start` would ask and cost. */
  plan: procedure.input(checkInputSchema).output(checkPlanSchema),
  /** Records every request before sending; throws `beyond-cap` unless `overCap` is set. */
  start: procedure
    .input(z.object({ input: checkInputSchema, overCap }))
    .output(z.object({ id: z.string() })),
  /** Newest first. */
  list: procedure.output(z.array(listedCheckSchema)),
  get: procedure.input(byId).output(checkSchema),
  /** Continues until the check is deleted. */
  watch: procedure.input(byId).output(eventIterator(checkUpdateSchema)),
  stop: procedure.input(byId).output(z.void()),
  /** Sends what a restart, a cap or Stop has left unsent. */
  resume: procedure.input(byId.extend({ overCap })).output(z.void()),
  /** `keepsResults` deletes only the runs, so that verdicts and metrics remain. */
  remove: procedure
    .input(byId.extend({ keepsResults: z.boolean().default(false) }))
    .output(deletedSchema),
  /** Returns the file in chunks, with recorded keys removed. */
  export: procedure
    .input(byId.extend({ format: checkFormatSchema }))
    .output(eventIterator(z.string())),
  /** Returns each row's latest verdict on the model. */
  hints: procedure
    .input(z.object({ connectionId: z.string(), model: z.string() }))
    .output(z.array(checkHintSchema)),
};
