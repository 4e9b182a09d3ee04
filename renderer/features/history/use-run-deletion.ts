import { useRef, useState } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import { type Attempt, useAttempt } from '../../lib/use-attempt.ts';
import { deleteRuns } from '../../run/live/delete-runs.ts';
import { isStoppedByDeletion } from '../../run/live/deletion-words.ts';
import { noteAt } from '../../ui/note-at.ts';
import { focusRow } from '../../ui/roving-list.ts';
import { noteFollowed } from '../../ui/second-press.ts';
import { neighborOf, undoPlace, useHistory } from './history-store.ts';

interface RunDeletion extends Pick<Attempt, 'error'> {
  /** Deletes them; first asks where a run would be stopped: other deletions can be undone. */
  remove: (runs: readonly RunSummary[]) => void;
  /** What is asked about; null: nothing. */
  asked: readonly RunSummary[] | null;
  /** Deletes what is asked about, which stays asked until that is done. */
  confirm: () => Promise<void>;
  confirming: boolean;
  cancel: () => void;
}

/** Deletes runs of the list, `listed` newest first; several deletions may be in progress at once. */
export function useRunDeletion(listed: readonly RunSummary[]): RunDeletion {
  const [asked, setAsked] = useState<readonly RunSummary[] | null>(null);
  const [confirming, setConfirming] = useState(false);
  const { error, attempt } = useAttempt();
  /** Main waits until an answer that is stopped has ended. */
  const deleting = useRef(new Set<string>());

  async function removeAll(runs: readonly RunSummary[]) {
    const ids = runs.map(({ id }) => id);
    for (const id of ids) deleting.current.add(id);
    const { deletedIds, failure } = await deleteAll(runs);
    for (const id of ids) deleting.current.delete(id);
    leave(listed, deletedIds);
    if (failure !== null) throw new PageFailure(failure);
  }

  async function begin(runs: readonly RunSummary[]) {
    const rest = runs.filter(({ id }) => !deleting.current.has(id));
    if (rest.length > 0) await attempt(() => removeAll(rest));
    else if (runs.length > 0) noteAt(document.activeElement ?? document.body, 'Still deleting');
  }

  return {
    error,
    asked,
    remove: (runs) => (runs.some(isStoppedByDeletion) ? setAsked(runs) : void begin(runs)),
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

async function deleteAll(runs: readonly RunSummary[]) {
  const { ids, error } = await deleteRuns(runs, {
    place: undoPlace,
    onUndone() {
      const [first] = runs;
      if (first === undefined) return;
      useHistory.getState().showRun(first.id);
      focusRow(undoPlace, first.id);
    },
  });
  return { deletedIds: new Set(ids), failure: error };
}

/** Shows the next run where one of these is shown; what the user has gone to since stays. */
function leave(listed: readonly RunSummary[], gone: ReadonlySet<string>): void {
  const { shownId, marked, mark, showRun } = useHistory.getState();
  mark(new Set([...marked].filter((id) => !gone.has(id))));
  const next = neighborOf(
    listed.map(({ id }) => id),
    gone,
    shownId,
  );
  if (next !== shownId) noteFollowed(next);
  showRun(next);
}
