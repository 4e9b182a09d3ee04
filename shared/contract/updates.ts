/** Defines procedures for app updates, which need a feed URL in the settings. */
import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { procedure } from './procedure.ts';

const version = z.string();

const updateStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('unchecked') }),
  z.object({ state: z.literal('checking') }),
  z.object({ state: z.literal('current'), checkedAt: z.number() }),
  z.object({ state: z.literal('available'), version }),
  z.object({
    state: z.literal('downloading'),
    version,
    receivedBytes: z.number(),
    totalBytes: z.number().nullable(),
  }),
  z.object({ state: z.literal('downloaded'), version }),
  z.object({ state: z.literal('installing'), version }),
  /** The version that failed to download or install; null if the check itself failed. */
  z.object({ state: z.literal('failed'), version: version.nullable(), error: appErrorSchema }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

const updateStatusSchema = z.object({ currentVersion: version, update: updateStateSchema });
export type UpdateStatus = z.infer<typeof updateStatusSchema>;

/** Each call returns immediately; the `updates` topic reports the outcome. */
export const updatesContract = {
  status: procedure.output(updateStatusSchema),
  check: procedure.output(z.void()),
  download: procedure.output(z.void()),
  /** Restarts Gatehouse to install the update; fails while runs are active. */
  install: procedure.output(z.void()),
};
