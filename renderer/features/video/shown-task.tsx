import { isFinished } from '../../../shared/run.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { useNow } from '../../run/live/use-now.ts';
import { Task } from './task.tsx';
import { useTaskActions } from './task-actions.ts';

interface ShownTaskProps {
  runId: string;
  onDeleted: () => void;
}

/** The selected task, live. */
export function ShownTask({ runId, onDeleted }: ShownTaskProps) {
  const view = useRun('video', runId);
  const recorded = useRecordedInput(runId);
  const actions = useTaskActions();
  const live = view !== null && !isFinished(view.status);
  const now = useNow(live ? 1000 : null);
  if (view === null || recorded === null) return null;
  const { taskId } = view.state;
  return (
    <Task
      view={view}
      requested={{ ...recorded.request, ...recorded.extraBody }}
      now={now}
      busy={actions.busy}
      problem={actions.problem}
      onStopFollowing={() => void actions.stopFollowing(runId)}
      onResume={() => void actions.resume(runId)}
      onFollow={() => {
        if (taskId !== null) void actions.follow(taskId, view.connectionId, runId);
      }}
      onDelete={() => void actions.remove(view).then((deleted) => deleted && onDeleted())}
    />
  );
}
