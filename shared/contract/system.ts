/** Procedures of the installation: facts, notices and the feed of changes. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { keyKeepingSchema } from '../connection.ts';
import { procedure } from './procedure.ts';

/** Something the user should know about this installation, such as a damaged ledger set aside. */
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
  /** Where a key can be kept here, best first; `keyringReason` says what is known against the keyring. */
  keyKeeping: z.array(keyKeepingSchema),
  keyringReason: z.string().nullable(),
  notices: z.array(noticeSchema),
});
export type SystemInfo = z.infer<typeof systemInfoSchema>;

/** Names a change, so that the page refetches only that. `id` is null for several. */
const changeSchema = z.object({
  topic: z.enum([
    'runs',
    'conversations',
    'connections',
    'models',
    'settings',
    'notices',
    'media',
    'tools',
    'forms',
    'saved-requests',
    'presets',
    'prices',
    'comparisons',
    'updates',
  ]),
  id: z.string().nullable(),
});
export type Change = z.infer<typeof changeSchema>;

export const systemContract = {
  info: procedure.output(systemInfoSchema),
  /** Never ends by itself. */
  changes: procedure.output(eventIterator(changeSchema)),
  /** Opens an http(s) link in the system's browser; the browser host leaves it to the page. */
  openExternal: procedure.input(z.object({ url: z.string() })).output(z.void()),
};
