import type { InfiniteData } from '@tanstack/react-query';
import type { ListedComparison } from '../../../shared/comparison.ts';
import type { ListedRuns } from '../../../shared/contract/runs.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { optimisticUpdate } from '../../lib/query-client.ts';
import { offerUndo } from '../../lib/undo.ts';

interface DeletedComparisons {
  ids: string[];
  /** What kept the first of the others from being deleted. */
  error: AppError | null;
}

/** Deletes comparisons with their runs and offers Undo for all of them at once; the answers of a chat stay. */
export async function deleteComparisons(
  comparisons: readonly ListedComparison[],
  undoAt: { place: string; onUndone: () => void },
): Promise<DeletedComparisons> {
  const deleted: DeletedComparisons = { ids: [], error: null };
  const undo: string[] = [];
  for (const { id } of comparisons) {
    try {
      const { deletionId } = await api.comparisons.remove({ id });
      hideAtOnce(id);
      deleted.ids.push(id);
      if (deletionId !== null) undo.push(deletionId);
    } catch (error) {
      deleted.error ??= toAppError(error);
    }
  }
  if (undo.length > 0) {
    const what = undo.length === 1 ? 'Comparison' : pluralize(undo.length, 'comparison');
    const isChat = comparisons.some(({ conversationId }) => conversationId !== null);
    const note = isChat ? '. Messages stay in the conversation.' : '';
    offerUndo({
      ...undoAt,
      message: `${what} deleted${note}`,
      several: { words: '# comparisons deleted', count: undo.length, note },
      undo,
    });
  }
  return deleted;
}

/** Out of every list before main's own answer is there. */
function hideAtOnce(id: string): void {
  const without = (page: ListedRuns): ListedRuns => ({
    ...page,
    runs: page.runs.filter(({ comparisonId }) => comparisonId !== id),
    comparisons: page.comparisons.filter((one) => one.id !== id),
  });
  optimisticUpdate<ListedRuns>(orpc.runs.list.key({ type: 'query' }), without);
  optimisticUpdate<InfiniteData<ListedRuns>>(orpc.runs.list.key({ type: 'infinite' }), (list) => ({
    ...list,
    pages: list.pages.map(without),
  }));
}
