import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { describeTask, elapsedMs, followLabel, isSubmitting } from './describe-task.ts';
import styles from './task.module.css';
import { TaskFacts } from './task-facts.tsx';
import { TaskMark } from './task-mark.tsx';
import { TaskProgress } from './task-progress.tsx';
import { TaskVideo } from './task-video.tsx';

interface TaskProps {
  view: RunView<'video'>;
  /** The request as it was stated, extra fields included. */
  asked: JsonObject;
  now: number;
  busy: boolean;
  /** Why the last action did not work. */
  problem: AppError | null;
  onStopFollowing: () => void;
  onResume: () => void;
  onFollow: () => void;
  onDelete: () => void;
}

/** A task with all that is known of it. */
export function Task(props: TaskProps) {
  const { view, asked, now, busy, problem } = props;
  const { state, error } = view;
  const task = describeTask(view);
  const live = !isFinished(view.status);
  const prompt = typeof asked.prompt === 'string' ? asked.prompt : '';
  const follow =
    task.next === 'follow' ? (
      <Button size="small" busy={busy} onClick={props.onFollow}>
        {followLabel(view.phase)}
      </Button>
    ) : undefined;
  return (
    <ResultFrame
      run={view}
      mark={<TaskMark task={task} />}
      figures={<span>{formatTime(elapsedMs(view, now) / 1000)}</span>}
      actions={
        <div className={styles.actions}>
          {task.next === 'stop' && (
            <Button size="small" busy={busy} onClick={props.onStopFollowing}>
              Stop following
            </Button>
          )}
          {task.next === 'resume' && (
            <Button size="small" busy={busy} onClick={props.onResume}>
              Resume
            </Button>
          )}
          {error === null && follow}
          <IconButton
            size="small"
            label="Delete"
            icon={<TrashIcon size={14} />}
            disabled={isSubmitting(view)}
            onClick={props.onDelete}
          />
        </div>
      }
    >
      <ResultContent error={error} warnings={state.warnings} errorActions={follow}>
        {prompt !== '' && <p className={styles.prompt}>{prompt}</p>}
        <TaskProgress view={view} live={live} now={now} />
        {problem !== null && <ErrorAlert compact error={problem} />}
        <TaskVideo state={state} live={live} title={prompt === '' ? 'Video' : prompt} />
        <TaskFacts state={state} asked={asked} />
      </ResultContent>
    </ResultFrame>
  );
}
