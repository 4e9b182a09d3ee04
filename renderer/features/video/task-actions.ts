import { useQueryClient } from '@tanstack/react-query';
import { FORMAT } from '../../../shared/operations/formats.ts';
import { getParamValue } from '../../../shared/param.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { removeRun } from '../../run/live/delete-runs.ts';
import { type DeletedRun, describeDeletion } from '../../run/live/deletion-text.ts';
import { followTask, repeatRun } from '../../run/live/recorded-input.ts';
import { showTask, videoForm } from './video-store.ts';

export const tasksPlace = 'video-tasks';

export type TaskActions = ReturnType<typeof useTaskActions>;

/** Each action resolves to true if it succeeded. */
export function useTaskActions() {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();

  return {
    busy,
    problem: error,
    stopFollowing: (id: string) => attempt(() => api.runs.cancel({ id })),
    resume: (id: string) => attempt(() => api.runs.resume({ id })),
    /** Follows an existing task; `earlierRunId` only supplies the request. */
    follow: (taskId: string, connectionId: string, earlierRunId: string | null = null) =>
      attempt(async () =>
        showTask(
          await followTask(queries, {
            taskId,
            connectionId,
            earlierRunId,
            format: getParamValue(videoForm.state.getState().values.params, FORMAT),
          }),
        ),
      ),
    /** Submits the task's request again, as a new task. */
    retry: (run: Pick<RunSummary, 'id' | 'connectionId' | 'operation'>) =>
      attempt(async () => showTask(await repeatRun(queries, run))),
    remove: (task: DeletedRun & { id: string }) =>
      attempt(async () => {
        const { id } = task;
        const deletionId = await removeRun(id);
        const wasShown = videoForm.state.getState().values.runId === id;
        if (wasShown) showTask(null);
        if (deletionId === null) return;
        const { message, note } = describeDeletion('Task', [task]);
        offerUndo({
          message,
          several: { words: '# tasks deleted', note },
          place: tasksPlace,
          undo: deletionId,
          ...(wasShown && { onUndone: () => showTask(id) }),
        });
      }),
  };
}
