/** Defines procedures about the installation, such as facts, notices and the change feed. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { keyKeepingSchema } from '../connection.ts';
import { mediaKindSchema } from '../media.ts';
import { procedure } from './procedure.ts';

/** Reports an installation problem, such as a damaged database that was set aside. */
const noticeSchema = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'danger']),
  message: z.string(),
  nextStep: z.string(),
});
export type Notice = z.infer<typeof noticeSchema>;

const systemInfoSchema = z.object({
  host: z.enum(['desktop', 'browser']),
  version: z.string(),
  platform: z.string(),
  dataFolder: z.string(),
  /** Available key storage, best first; `keyringReason` says why the keyring isn't recommended. */
  keyKeeping: z.array(keyKeepingSchema),
  keyringReason: z.string().nullable(),
  notices: z.array(noticeSchema),
});
export type SystemInfo = z.infer<typeof systemInfoSchema>;

const diskUseSchema = z.object({
  kind: z.enum(['database', 'events', ...mediaKindSchema.options, 'waveforms', 'logs']),
  bytes: z.number().nonnegative(),
  /** The number of files; null for a database. */
  items: z.int().nonnegative().nullable(),
});
export type DiskUse = z.infer<typeof diskUseSchema>;

/** Tells the page which queries to refetch; `id` is null if several items changed. */
const changeSchema = z.object({
  topic: z.enum([
    'runs',
    'conversations',
    'connections',
    'models',
    'settings',
    'notices',
    'media',
    'saved-items',
    'mcp',
    'mcp-activity',
    'forms',
    'prices',
    'comparisons',
    'checks',
    'updates',
  ]),
  id: z.string().nullable(),
});
export type Change = z.infer<typeof changeSchema>;

export const systemContract = {
  info: procedure.output(systemInfoSchema),
  diskUse: procedure.output(z.array(diskUseSchema)),
  /** Streams changes until the caller disconnects. */
  changes: procedure.output(eventIterator(changeSchema)),
  /** Opens an HTTP(S) link in the default browser; the web version opens the link itself. */
  openExternal: procedure.input(z.object({ url: z.string() })).output(z.void()),
};
