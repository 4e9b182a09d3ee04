/** Undoing what was deleted. Procedures that delete return a `deletionId`, valid for one minute. */
import { z } from 'zod';
import { byId, procedure } from './procedure.ts';

export const deletionsContract = {
  /** Brings back what was deleted, as it was. */
  undo: procedure.input(byId).output(z.void()),
};
