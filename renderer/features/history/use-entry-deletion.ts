import type { InfiniteData } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ListedRuns } from '../../../shared/contract/runs.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { PageError } from '../../lib/page-failure.ts';
import { updateOptimistically } from '../../lib/query-client.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { deleteRuns } from '../../run/live/delete-runs.ts';
import { showInlineNote } from '../../ui/inline-note.ts';
import { guardNextDelete } from '../../ui/press-guard.ts';
import { focusRow } from '../../ui/roving-list.ts';
import {
  findAdjacentEntry,
  type HistoryEntry,
  isUnfinished,
  showEntry,
  undoKey,
  useHistory,
} from './history-store.ts';

/** Allows parallel deletions. `listed` must be sorted newest first. */
export function useEntryDeletion(listed: readonly HistoryEntry[]) {
  const [asked, setAsked] = useState<readonly HistoryEntry[] | null>(null);
  const [confirming, setConfirming] = useState(false);
  const { error, attempt } = useAttempt();
  // Deletion takes time, because the main process waits for a stopped run to end.
  const deleting = useRef(new Set<string>());

  async function removeAll(entries: readonly HistoryEntry[]) {
    const ids = entries.map(({ id }) => id);
    for (const id of ids) deleting.current.add(id);
    const { deletedIds, failure } = await deleteAll(entries);
    for (const id of ids) deleting.current.delete(id);
    showNext(listed, deletedIds);
    if (failure !== null) throw new PageError(failure);
  }

  async function begin(entries: readonly HistoryEntry[]) {
    const rest = entries.filter(({ id }) => !deleting.current.has(id));
    if (rest.length > 0) await attempt(() => removeAll(rest));
    else if (entries.length > 0)
      showInlineNote(document.activeElement ?? document.body, 'Deleting…');
  }

  return {
    error,
    asked,
    /** Asks first if deletion would stop requests, because Undo can't restart them. */
    remove: (entries: readonly HistoryEntry[]) =>
      entries.some(isUnfinished) ? setAsked(entries) : void begin(entries),
    confirming,
    async confirm() {
      setConfirming(true);
      await begin(asked ?? []);
      setConfirming(false);
      setAsked(null);
    },
    cancel: () => setAsked(null),
  };
}

async function deleteAll(entries: readonly HistoryEntry[]) {
  const undoAt = {
    place: undoKey,
    onUndone() {
      const [first] = entries;
      if (first === undefined) return;
      showEntry(first);
      focusRow(undoKey, first.id);
    },
  };
  const runEntries = entries.flatMap(({ id, run }) => (id === run.id ? run : []));
  const compared = entries.flatMap(({ comparison }) => comparison ?? []);
  const isChat = compared.some(({ conversationId }) => conversationId !== null);
  const deleted = [
    await deleteRuns(runEntries, undoAt),
    await deleteGroups(
      compared.map(({ id }) => ({ id, comparisonIds: [id] })),
      {
        ...undoAt,
        noun: 'comparison',
        note: isChat ? '. Messages stay in the conversation.' : '',
        remove: (id) => api.comparisons.remove({ id }),
      },
    ),
    await deleteGroups(
      entries.flatMap(({ check }) => check ?? []),
      {
        ...undoAt,
        noun: 'check',
        note: '',
        remove: (id) => api.checks.remove({ id }),
      },
    ),
  ];
  return {
    deletedIds: new Set(deleted.flatMap(({ ids }) => ids)),
    failure: deleted.find(({ error }) => error !== null)?.error ?? null,
  };
}

function showNext(listed: readonly HistoryEntry[], deleted: ReadonlySet<string>): void {
  const { shownId, within, marked, mark, showRun, showComparison } = useHistory.getState();
  mark(new Set([...marked].filter((id) => !deleted.has(id))));
  if (within !== null && shownId !== null && deleted.has(shownId)) {
    guardNextDelete(within);
    showComparison(within);
    return;
  }
  const next = findAdjacentEntry(
    listed.map(({ id }) => id),
    deleted,
    shownId,
  );
  if (next === shownId && next !== null) return;
  guardNextDelete(next);
  const entry = listed.find(({ id }) => id === next);
  if (entry === undefined) showRun(next);
  else showEntry(entry);
}

interface DeletedGroups {
  ids: string[];
  /** The error for the first group that couldn't be deleted. */
  error: AppError | null;
}

interface GroupDeletion {
  place: string;
  onUndone: () => void;
  noun: 'comparison' | 'check';
  /** A sentence after “deleted”, or empty. */
  note: string;
  remove: (id: string) => Promise<{ deletionId: string | null }>;
}

/** Deletes comparisons or checks with their runs, and offers a single Undo. */
async function deleteGroups(
  groups: readonly { id: string; comparisonIds: readonly string[] }[],
  { noun, note, remove, ...undoAt }: GroupDeletion,
): Promise<DeletedGroups> {
  const deleted: DeletedGroups = { ids: [], error: null };
  const undo: string[] = [];
  for (const { id, comparisonIds } of groups) {
    try {
      const { deletionId } = await remove(id);
      removeFromLists(new Set(comparisonIds));
      deleted.ids.push(id);
      if (deletionId !== null) undo.push(deletionId);
    } catch (error) {
      deleted.error ??= toAppError(error);
    }
  }
  if (undo.length > 0) {
    const title = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`;
    offerUndo({
      ...undoAt,
      message: `${undo.length === 1 ? title : pluralize(undo.length, noun)} deleted${note}`,
      several: { words: `# ${noun}s deleted`, count: undo.length, note },
      undo,
    });
  }
  return deleted;
}

/** Updates all cached lists before they are refetched. */
function removeFromLists(comparisonIds: ReadonlySet<string>): void {
  const without = (page: ListedRuns): ListedRuns => ({
    ...page,
    runs: page.runs.filter(({ comparisonId }) => !comparisonIds.has(comparisonId ?? '')),
    comparisons: page.comparisons.filter(({ id }) => !comparisonIds.has(id)),
  });
  updateOptimistically<ListedRuns>(orpc.runs.list.key({ type: 'query' }), without);
  updateOptimistically<InfiniteData<ListedRuns>>(
    orpc.runs.list.key({ type: 'infinite' }),
    (list) => ({
      ...list,
      pages: list.pages.map(without),
    }),
  );
}
