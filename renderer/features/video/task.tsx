import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon, TrashIcon } from '../../ui/icons/actions.tsx';
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
  onInspect: () => void;
  onDelete: () => void;
}

/** A task with all that is known of it. */
export function Task(props: TaskProps) {
  const { view, asked, now, busy, problem } = props;
  const { state, error } = view;
  const task = describeTask(view);
  const live = !isFinished(view.status);
  const prompt = typeof asked.prompt === 'string' ? asked.prompt : '';
  return (
    <section className={styles.task} aria-label="Result" aria-busy={live}>
      <div className={styles.head}>
        <TaskMark task={task} />
        <span className={styles.times}>{formatTime(elapsedMs(view, now) / 1000)}</span>
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
          {task.next === 'follow' && error === null && (
            <Button size="small" busy={busy} onClick={props.onFollow}>
              {followLabel(view.phase)}
            </Button>
          )}
          <IconButton
            size="small"
            label="Inspect"
            icon={<InspectIcon size={14} />}
            onClick={props.onInspect}
          />
          <IconButton
            size="small"
            label="Delete"
            icon={<TrashIcon size={14} />}
            disabled={isSubmitting(view)}
            onClick={props.onDelete}
          />
        </div>
      </div>
      <div className={styles.body}>
        {prompt !== '' && <p className={styles.prompt}>{prompt}</p>}
        <TaskProgress view={view} live={live} now={now} />
        {problem !== null && <ErrorAlert compact error={problem} />}
        {error !== null && (
          <ErrorAlert
            error={error}
            actions={
              task.next === 'follow' ? (
                <Button size="small" busy={busy} onClick={props.onFollow}>
                  {followLabel(view.phase)}
                </Button>
              ) : undefined
            }
          />
        )}
        <TaskVideo state={state} live={live} title={prompt === '' ? 'Video' : prompt} />
        <TaskFacts state={state} asked={asked} />
        {state.warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            {warning}
          </p>
        ))}
      </div>
    </section>
  );
}
