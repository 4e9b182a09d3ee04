import type { AppError } from '../../../shared/errors.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatCountOf } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { removeRun } from './remove-run.ts';

interface DeletedRuns {
  ids: string[];
  /** What kept the first of the others from being deleted. */
  error: AppError | null;
}

interface UndoAt {
  place: string;
  onUndone?: () => void;
}

/**
 * Deletes runs and offers Undo for all of them at once. One after the other, so that main is never held up; the
 * others are tried although one fails.
 */
export async function deleteRuns(ids: readonly string[], undoAt: UndoAt): Promise<DeletedRuns> {
  const deleted: DeletedRuns = { ids: [], error: null };
  const deletionIds: string[] = [];
  for (const id of ids) {
    try {
      const deletionId = await removeRun(id);
      deleted.ids.push(id);
      if (deletionId !== null) deletionIds.push(deletionId);
    } catch (error) {
      deleted.error ??= toAppError(error);
    }
  }
  if (deletionIds.length > 0) {
    const count = deletionIds.length;
    const message = count === 1 ? 'Run deleted' : `${formatCountOf(count, 'run')} deleted`;
    const several = { words: '# runs deleted', count };
    offerUndo({ ...undoAt, message, several, undo: deletionIds });
  }
  return deleted;
}
