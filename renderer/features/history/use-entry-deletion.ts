import { useRef, useState } from 'react';
import { PageError } from '../../lib/page-failure.ts';
import { type Attempt, useAttempt } from '../../lib/use-attempt.ts';
import { deleteRuns } from '../../run/live/delete-runs.ts';
import { showInlineNote } from '../../ui/inline-note.ts';
import { guardRepeatDelete } from '../../ui/repeat-delete-guard.ts';
import { focusRow } from '../../ui/roving-list.ts';
import { deleteComparisons } from './delete-comparisons.ts';
import { type HistoryEntry, isUnfinished } from './history-entries.ts';
import { adjacentEntry, showEntry, undoPlace, useHistory } from './history-store.ts';

interface EntryDeletion extends Pick<Attempt, 'error'> {
  /** Deletes them; first asks where a request would be stopped: other deletions can be undone. */
  remove: (entries: readonly HistoryEntry[]) => void;
  /** What is asked about; null: nothing. */
  asked: readonly HistoryEntry[] | null;
  /** Deletes what is asked about, which stays asked until that is done. */
  confirm: () => Promise<void>;
  confirming: boolean;
  cancel: () => void;
}

/** Deletes entries of the list, `listed` newest first; several deletions may be in progress at once. */
export function useEntryDeletion(listed: readonly HistoryEntry[]): EntryDeletion {
  const [asked, setAsked] = useState<readonly HistoryEntry[] | null>(null);
  const [confirming, setConfirming] = useState(false);
  const { error, attempt } = useAttempt();
  /** Main waits until an answer that is stopped has ended. */
  const deleting = useRef(new Set<string>());

  async function removeAll(entries: readonly HistoryEntry[]) {
    const ids = entries.map(({ id }) => id);
    for (const id of ids) deleting.current.add(id);
    const { deletedIds, failure } = await deleteAll(entries);
    for (const id of ids) deleting.current.delete(id);
    leave(listed, deletedIds);
    if (failure !== null) throw new PageError(failure);
  }

  async function begin(entries: readonly HistoryEntry[]) {
    const rest = entries.filter(({ id }) => !deleting.current.has(id));
    if (rest.length > 0) await attempt(() => removeAll(rest));
    else if (entries.length > 0)
      showInlineNote(document.activeElement ?? document.body, 'Still deleting');
  }

  return {
    error,
    asked,
    remove: (entries) => (entries.some(isUnfinished) ? setAsked(entries) : void begin(entries)),
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
    place: undoPlace,
    onUndone() {
      const [first] = entries;
      if (first === undefined) return;
      showEntry(first);
      focusRow(undoPlace, first.id);
    },
  };
  const alone = entries.flatMap(({ run, comparison }) => (comparison === null ? run : []));
  const compared = entries.flatMap(({ comparison }) => comparison ?? []);
  const runs = await deleteRuns(alone, undoAt);
  const comparisons = await deleteComparisons(compared, undoAt);
  return {
    deletedIds: new Set([...runs.ids, ...comparisons.ids]),
    failure: runs.error ?? comparisons.error,
  };
}

/** Shows the next entry where one of these is shown; what the user has gone to since stays. */
function leave(listed: readonly HistoryEntry[], gone: ReadonlySet<string>): void {
  const { shownId, within, marked, mark, showRun, showComparison } = useHistory.getState();
  mark(new Set([...marked].filter((id) => !gone.has(id))));
  if (within !== null && shownId !== null && gone.has(shownId)) {
    guardRepeatDelete(within);
    showComparison(within);
    return;
  }
  const next = adjacentEntry(
    listed.map(({ id }) => id),
    gone,
    shownId,
  );
  if (next === shownId && next !== null) return;
  guardRepeatDelete(next);
  const entry = listed.find(({ id }) => id === next);
  if (entry === undefined) showRun(next);
  else showEntry(entry);
}
