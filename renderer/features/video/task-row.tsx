import { isFinished } from '../../../shared/is-finished.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { showRun } from '../../run/live/panel-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import type { DoomedTask } from './delete-task.tsx';
import { ageWords, describeTask, elapsedMs, followLabel, type TaskLabel } from './describe-task.ts';
import styles from './task-list.module.css';
import { TaskMark } from './task-mark.tsx';
import { TaskThumbnail } from './task-thumbnail.tsx';
import { useNow } from './use-now.ts';
import type { TaskActions } from './use-task-actions.ts';

interface TaskRowProps {
  run: RunSummary;
  shown: boolean;
  actions: TaskActions;
  onDelete: (doomed: DoomedTask) => void;
}

export function TaskRow({ run, shown, actions, onDelete }: TaskRowProps) {
  const task = describeTask(run);
  const live = !isFinished(run.status);
  const now = useNow(live ? 1000 : 60_000);
  const video = run.media.findLast(({ complete }) => complete) ?? null;
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.task}
        aria-current={shown || undefined}
        onClick={() => showRun('video', run.id)}
      >
        <TaskThumbnail media={video} />
        <span className={styles.words}>
          <span className={styles.preview}>{run.preview || 'Video'}</span>
          <span className={styles.state}>
            <TaskMark task={task} />
            <span className={styles.times}>
              {live
                ? formatTime(elapsedMs(run, now) / 1000)
                : `${formatTime(elapsedMs(run, now) / 1000)} · ${ageWords(run.createdAt, now)}`}
            </span>
          </span>
        </span>
      </button>
      <span className={styles.menu}>
        <TaskMenu run={run} task={task} live={live} actions={actions} onDelete={onDelete} />
      </span>
    </li>
  );
}

interface TaskMenuProps extends Pick<TaskRowProps, 'run' | 'actions' | 'onDelete'> {
  task: TaskLabel;
  live: boolean;
}

function TaskMenu({ run, task, live, actions, onDelete }: TaskMenuProps) {
  const recorded = useRecordedInput(task.next === 'follow' ? run.id : null);
  const { id, connectionId, phase } = run;
  const taskId = phase.task?.id ?? null;
  const items: MenuEntry[] = [
    ...(task.next === 'stop'
      ? [entry('stop', 'Stop following', () => actions.stopFollowing(id))]
      : []),
    ...(task.next === 'resume' ? [entry('resume', 'Resume', () => actions.resume(id))] : []),
    ...(task.next === 'follow' && taskId !== null
      ? [
          entry('follow', followLabel(phase), () =>
            actions.follow(taskId, connectionId, recorded ?? undefined),
          ),
        ]
      : []),
    entry('inspect', 'Inspect', () => inspectRun(id)),
    'separator',
    {
      ...entry('delete', 'Delete…', () => onDelete({ runId: id, live })),
      danger: true,
      disabled: live && taskId === null,
    },
  ];
  return <Menu label={`More about ${run.preview || 'this task'}`} size="small" items={items} />;
}

function entry(id: string, label: string, onSelect: () => void): Exclude<MenuEntry, 'separator'> {
  return { id, label, onSelect };
}
