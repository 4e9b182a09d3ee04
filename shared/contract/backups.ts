/** Defines how all data is saved to one file and restored from it. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { byId, procedure } from './procedure.ts';

const bytes = z.number().nonnegative();

const backupStepSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('copying'), doneBytes: bytes, totalBytes: bytes }),
  /** The page then downloads `/media/<id>/backup` once. */
  z.object({ stage: z.literal('ready'), id: z.string(), name: z.string(), totalBytes: bytes }),
  z.object({ stage: z.literal('saving'), doneBytes: bytes, totalBytes: bytes }),
  /** The file is complete, where the user wanted it. */
  z.object({ stage: z.literal('saved') }),
]);
export type BackupStep = z.infer<typeof backupStepSchema>;

const contentsSchema = z.object({
  runs: z.int().nonnegative(),
  conversations: z.int().nonnegative(),
  mediaFiles: z.int().nonnegative(),
});
export type DataContents = z.infer<typeof contentsSchema>;

const checkedBackupSchema = z.object({
  id: z.string(),
  /** When the backup was made, in Unix milliseconds. */
  createdAt: z.number(),
  appVersion: z.string(),
  contents: contentsSchema,
  replaced: contentsSchema,
});
export type CheckedBackup = z.infer<typeof checkedBackupSchema>;

const checkStepSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('checking'), doneBytes: bytes, totalBytes: bytes }),
  z.object({ stage: z.literal('checked'), backup: checkedBackupSchema }),
]);
export type CheckStep = z.infer<typeof checkStepSchema>;

export const backupsContract = {
  /**
   * Ends with `saved`, or without it if the user canceled the download; aborting the call cancels the
   * backup.
   */
  create: procedure.output(eventIterator(backupStepSchema)),
  /** Unpacks an upload to check it without changing any data; the upload is deleted. */
  check: procedure.input(z.object({ uploadId: z.string() })).output(eventIterator(checkStepSchema)),
  /** Replaces all data the next time Gatehouse starts; fails while requests are in progress. */
  restore: procedure.input(byId).output(z.void()),
  /** Discards a checked backup, even one queued for the next start. */
  discard: procedure.output(z.void()),
  /** Returns when the backup queued for the next start was made; null if none is queued. */
  waiting: procedure.output(z.object({ createdAt: z.number() }).nullable()),
};
