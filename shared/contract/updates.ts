/** The version that runs, and how far a newer one is. The address it comes from is a setting. */
import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { procedure } from './procedure.ts';

const version = z.string();

const updateStateSchema = z.discriminatedUnion('state', [
  /** This Gatehouse cannot update itself; the reason is a sentence. */
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
  /** No feed is set. */
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('unchecked') }),
  z.object({ state: z.literal('checking') }),
  z.object({ state: z.literal('current'), checkedAt: z.number() }),
  z.object({ state: z.literal('available'), version }),
  z.object({
    state: z.literal('downloading'),
    version,
    receivedBytes: z.number(),
    /** Null until the first of it has arrived. */
    totalBytes: z.number().nullable(),
  }),
  z.object({ state: z.literal('downloaded'), version }),
  z.object({ state: z.literal('installing'), version }),
  /** `version` is what could not be downloaded or installed; null if the check failed. */
  z.object({ state: z.literal('failed'), version: version.nullable(), error: appErrorSchema }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

const updateStatusSchema = z.object({ currentVersion: version, update: updateStateSchema });
export type UpdateStatus = z.infer<typeof updateStatusSchema>;

/** Each step returns at once; the topic `updates` announces its result. */
export const updatesContract = {
  status: procedure.output(updateStatusSchema),
  check: procedure.output(z.void()),
  /** Downloads the available version. */
  download: procedure.output(z.void()),
  /** Installs the downloaded version and restarts Gatehouse. Rejected while runs are active. */
  install: procedure.output(z.void()),
};
