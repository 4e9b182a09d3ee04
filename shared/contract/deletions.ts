/** Undoing what was deleted. Procedures that delete return a `deletionId`, valid for one minute. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

const restoredNameSchema = z.object({ from: z.string(), to: z.string() });
/** What came back under another name, as its own is in use. */
export type RestoredName = z.infer<typeof restoredNameSchema>;

export const deletionsContract = {
  /**
   * Brings back what was deleted; requests that the deletion stopped stay stopped. Those undone before are passed
   * over, so that a call may be repeated.
   */
  undo: procedure
    .input(z.object({ ids: z.array(z.string()).min(1) }))
    .output(z.object({ renamed: z.array(restoredNameSchema) })),
};
