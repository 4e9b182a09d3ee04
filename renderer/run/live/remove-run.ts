import type { InfiniteData } from '@tanstack/react-query';
import type { RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { showAtOnce } from '../../lib/query-client.ts';

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
