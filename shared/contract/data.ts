/** Defines procedures that count data and delete all data of a kind. */
import { z } from 'zod';
import { keepRunsDaysSchema } from '../settings.ts';
import { deletedSchema, procedure } from './procedure.ts';

const count = z.int().nonnegative();

const storedDataSchema = z.object({
  runs: count,
  conversations: count,
  mediaFiles: count,
  mediaBytes: z.number().nonnegative(),
  /** Prompts, presets, tools, tool sets, Console requests and History filters. */
  savedItems: count,
});
export type StoredData = z.infer<typeof storedDataSchema>;

export const clearedKindSchema = z.enum(['runs', 'conversations', 'media', 'everything']);
export type ClearedKind = z.infer<typeof clearedKindSchema>;

export const dataContract = {
  stored: procedure.output(storedDataSchema),
  /** Counts the runs older than `days` that can be deleted by age. */
  oldRuns: procedure.input(z.object({ days: keepRunsDaysSchema })).output(z.object({ count })),
  /**
   * Deletes all items of the kind, which Undo restores; fails while requests are in progress. Keeps
   * connections, prices and settings, even with `everything`.
   */
  clear: procedure.input(z.object({ kind: clearedKindSchema })).output(deletedSchema),
};
