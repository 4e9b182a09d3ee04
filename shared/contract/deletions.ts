/** Undoing what was deleted. Procedures that delete return a `deletionId`, valid for one minute. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

export const deletionsContract = {
  /**
   * Brings back what was deleted; requests that the deletion stopped stay stopped. Those undone before are passed
   * over, so that a call may be repeated.
   */
  undo: procedure.input(z.object({ ids: z.array(z.string()).min(1) })).output(z.void()),
};
