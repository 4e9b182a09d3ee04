import type { InfiniteData } from '@tanstack/react-query';
import type { AppError } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatCountOf } from '../../lib/format-quantity.ts';
import { showAtOnce } from '../../lib/query-client.ts';
import { offerUndo } from '../../lib/undo.ts';

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

type ListPage = { runs: RunSummary[]; more: boolean };

/**
 * Deletes a run; answers the id by which that can be undone for a while, null where it cannot. It is out of every
 * list when this resolves, so that none shows it next.
 */
export async function removeRun(id: string): Promise<string | null> {
  const { deletionId } = await api.runs.remove({ id });
  const without = (page: ListPage): ListPage => ({
    ...page,
    runs: page.runs.filter((run) => run.id !== id),
  });
  showAtOnce<ListPage>(orpc.runs.list.key({ type: 'query' }), without);
  showAtOnce<InfiniteData<ListPage>>(orpc.runs.list.key({ type: 'infinite' }), (list) => ({
    ...list,
    pages: list.pages.map(without),
  }));
  return deletionId;
}
