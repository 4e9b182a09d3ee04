import { useQueryClient } from '@tanstack/react-query';
import type { AppError } from '../../../shared/errors.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { api } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { noteInput, recordedInput } from '../../run/live/recorded-input.ts';
import { removeRun } from '../../run/live/remove-run.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { showTask, videoForm } from './video-store.ts';

export interface TaskActions {
  busy: boolean;
  /** Why the last of them did not work. */
  problem: AppError | null;
  stopFollowing: (runId: string) => Promise<boolean>;
  resume: (runId: string) => Promise<boolean>;
  /** Asks about a task the gateway has already; what `earlierRunId` was asked is only remembered. */
  follow: (taskId: string, connectionId: string, earlierRunId?: string) => Promise<boolean>;
  /** `live`: it is still followed, and is left alone first. */
  remove: (runId: string, live: boolean) => Promise<boolean>;
}

const nothingKnown: RunInput = { request: {}, extraBody: {}, wireNames: {}, follow: null };

/** What can be done with a task; each answers whether it was. */
export function useTaskActions(): TaskActions {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();

  return {
    busy,
    problem: error,
    stopFollowing: (id) => attempt(() => api.runs.cancel({ id })),
    resume: (id) => attempt(() => api.runs.resume({ id })),
    follow: (taskId, connectionId, earlierRunId) =>
      attempt(async () => {
        const known =
          earlierRunId === undefined ? nothingKnown : await recordedInput(queries, earlierRunId);
        const input = { ...known, follow: taskId };
        const { runId } = await api.runs.start({ connectionId, operation: 'video', ...input });
        noteInput(queries, runId, input);
        showTask(runId);
      }),
    remove: (id, live) =>
      attempt(async () => {
        if (live) await api.runs.cancel({ id });
        await removeRun(id);
        if (videoForm.state.getState().values.runId === id) showTask(null);
      }),
  };
}

export interface TaskToDelete {
  runId: string;
  /** The gateway may still work on it. */
  live: boolean;
}

interface DeleteTaskProps {
  toDelete: TaskToDelete | null;
  busy: boolean;
  onDelete: (toDelete: TaskToDelete) => void;
  onClose: () => void;
}

export function DeleteTask({ toDelete, busy, onDelete, onClose }: DeleteTaskProps) {
  return (
    <ConfirmDialog
      open={toDelete !== null}
      title="Delete this task?"
      confirmLabel="Delete"
      danger
      busy={busy}
      onConfirm={() => toDelete !== null && onDelete(toDelete)}
      onClose={onClose}
    >
      {toDelete?.live
        ? 'This deletes the task and its ID from Gatehouse. The API has no cancel: the task will keep running and may be billed.'
        : 'This deletes the run, its request and its responses. The video stays in the library.'}
    </ConfirmDialog>
  );
}
