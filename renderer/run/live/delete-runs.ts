import type { InfiniteData } from '@tanstack/react-query';
import type { ListedRuns } from '../../../shared/contract/runs.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { updateOptimistically } from '../../lib/query-client.ts';
import { offerUndo } from '../../lib/undo.ts';
import { type DeletedRun, describeDeletion } from './deletion-text.ts';

interface DeletedRuns {
  ids: string[];
  /** The first error; the other runs are deleted anyway. */
  error: AppError | null;
}

interface UndoAt {
  place: string;
  onUndone?: () => void;
}

/** Deletes runs one at a time and offers a single Undo. */
export async function deleteRuns(
  runs: readonly (DeletedRun & { id: string })[],
  undoAt: UndoAt,
): Promise<DeletedRuns> {
  const deleted: DeletedRuns = { ids: [], error: null };
  const undoable: { run: DeletedRun; deletionId: string }[] = [];
  for (const run of runs) {
    try {
      const deletionId = await removeRun(run.id);
      deleted.ids.push(run.id);
      if (deletionId !== null) undoable.push({ run, deletionId });
    } catch (error) {
      deleted.error ??= toAppError(error);
    }
  }
  const count = undoable.length;
  if (count > 0) {
    const { message, note } = describeDeletion(
      count === 1 ? 'Run' : pluralize(count, 'run'),
      undoable.map(({ run }) => run),
    );
    offerUndo({
      ...undoAt,
      message,
      several: { words: '# runs deleted', count, note },
      undo: undoable.map(({ deletionId }) => deletionId),
    });
  }
  return deleted;
}

/** Removes the run from all lists; returns the deletion ID, or null if Undo isn't possible. */
export async function removeRun(id: string): Promise<string | null> {
  const { deletionId } = await api.runs.remove({ id });
  const without = (page: ListedRuns): ListedRuns => ({
    ...page,
    runs: page.runs.filter((run) => run.id !== id),
  });
  updateOptimistically<ListedRuns>(orpc.runs.list.key({ type: 'query' }), without);
  updateOptimistically<InfiniteData<ListedRuns>>(
    orpc.runs.list.key({ type: 'infinite' }),
    (list) => ({
      ...list,
      pages: list.pages.map(without),
    }),
  );
  return deletionId;
}
