import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { getTotalMs } from '../../../shared/run-times.ts';
import { formatClock, formatDuration } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { getStopLabel } from '../../run/frame/run-status.tsx';
import { useNow } from '../../run/live/use-now.ts';
import { classNames } from '../../ui/class-names.ts';
import { VideoIcon } from '../../ui/icons/panels.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { type DescribedTask, describeTask, isSubmitting } from './describe-task.ts';
import type { TaskActions } from './task-actions.ts';
import styles from './task-list.module.css';
import { TaskTime } from './task-progress.tsx';
import { showTask } from './video-store.ts';

interface TaskRowProps {
  run: RunSummary;
  shown: boolean;
  tabIndex: number;
  actions: TaskActions;
  onRename: () => void;
  onDelete: () => void;
}

/** Returns the task's last complete video; null if there is none yet. */
export function findVideo({ media }: Pick<RunSummary, 'media'>): Media | null {
  return media.findLast(({ complete }) => complete) ?? null;
}

export function TaskRow({ run, shown, tabIndex, actions, onRename, onDelete }: TaskRowProps) {
  const task = describeTask(run);
  const live = !isFinished(run.status);
  const now = useNow(60_000);
  const video = findVideo(run);
  const total = getTotalMs(run);
  return (
    <li className={styles.item} data-row={run.id}>
      <button
        type="button"
        tabIndex={tabIndex}
        className={classNames(styles.task, 'bare')}
        aria-current={shown || undefined}
        onClick={() => showTask(run.id)}
      >
        <TaskThumbnail media={video} />
        <span className={styles.words}>
          <span className={classNames(styles.preview, 'truncate')}>{run.preview || 'Video'}</span>
          <span className={styles.state}>
            <StatusMark {...task} className={styles.mark} />
            <span className={styles.times}>
              {live ? (
                <TaskTime run={run} />
              ) : (
                [
                  ...(total === null ? [] : [formatDuration(total)]),
                  formatClock(run.createdAt, now),
                ].join(' · ')
              )}
            </span>
          </span>
        </span>
      </button>
      <span className={styles.menu}>
        <TaskMenu run={run} task={task} actions={actions} onRename={onRename} onDelete={onDelete} />
      </span>
    </li>
  );
}

interface TaskMenuProps extends Pick<TaskRowProps, 'run' | 'actions' | 'onRename' | 'onDelete'> {
  task: DescribedTask;
}

function TaskMenu({ run, task, actions, onRename, onDelete }: TaskMenuProps) {
  const { id, connectionId, phase } = run;
  const taskId = phase.task?.id ?? null;
  const items: MenuEntry[] = [
    ...(task.next === 'stop'
      ? [entry('stop', getStopLabel(run), () => actions.stopFollowing(id))]
      : []),
    ...(task.next === 'resume' ? [entry('resume', 'Resume', () => actions.resume(id))] : []),
    ...(task.next === 'follow' && taskId !== null
      ? [entry('follow', 'Follow again', () => actions.follow(taskId, connectionId, id))]
      : []),
    entry('inspect', 'Inspect', () => inspectRun(id)),
    ...(findVideo(run) === null ? [] : [entry('rename', 'Rename video…', onRename)]),
    'separator',
    {
      ...entry('delete', 'Delete', onDelete),
      danger: true,
      disabled: isSubmitting(run),
    },
  ];
  return (
    <Menu
      label={`Actions for ${run.preview || 'this task'}`}
      size="small"
      tabIndex={-1}
      items={items}
    />
  );
}

function entry(id: string, label: string, onSelect: () => void): Exclude<MenuEntry, 'separator'> {
  return { id, label, onSelect };
}

function TaskThumbnail({ media }: { media: Media | null }) {
  return (
    <span className={styles.thumbnail} aria-hidden="true">
      {media?.complete && media.kind === 'video' ? (
        <video
          src={`${getMediaUrl(media.id)}#t=0.1`}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
        />
      ) : (
        <VideoIcon size={16} />
      )}
    </span>
  );
}
