import { isFinished } from '../../../shared/is-finished.ts';
import { emptyVideoState, type VideoState } from '../../../shared/operations/video/state.ts';
import type { RunSummary, RunView } from '../../../shared/run.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { showRun } from '../../run/live/panel-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import type { DoomedTask } from './delete-task.tsx';
import styles from './task-list.module.css';
import { TaskMark } from './task-mark.tsx';
import { ageWords, elapsedMs, type TaskPhase, taskPhase } from './task-phase.ts';
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
  const watched = useRun<VideoState>(run.id);
  const view: RunView<VideoState> = watched ?? { ...run, seq: 0, state: emptyVideoState };
  const { state } = view;
  const phase = taskPhase(view);
  const live = !isFinished(view.status);
  const now = useNow(live ? 1000 : 60_000);
  const video = state.media.findLast(({ complete }) => complete) ?? null;
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
            <TaskMark phase={phase} />
            <span className={styles.times}>
              {live
                ? formatTime(elapsedMs(view, now) / 1000)
                : `${formatTime(elapsedMs(view, now) / 1000)} · ${ageWords(run.createdAt, now)}`}
            </span>
          </span>
        </span>
      </button>
      <span className={styles.menu}>
        <TaskMenu view={view} phase={phase} live={live} actions={actions} onDelete={onDelete} />
      </span>
    </li>
  );
}

interface TaskMenuProps extends Pick<TaskRowProps, 'actions' | 'onDelete'> {
  view: RunView<VideoState>;
  phase: TaskPhase;
  live: boolean;
}

function TaskMenu({ view, phase, live, actions, onDelete }: TaskMenuProps) {
  const recorded = useRecordedInput(phase.next === 'follow' ? view.id : null);
  const { id, connectionId, state } = view;
  const { taskId } = state;
  const items: MenuEntry[] = [
    ...(phase.next === 'stop'
      ? [entry('stop', 'Stop following', () => actions.stopFollowing(id))]
      : []),
    ...(phase.next === 'resume' ? [entry('resume', 'Resume', () => actions.resume(id))] : []),
    ...(phase.next === 'follow' && taskId !== null
      ? [
          entry('follow', followLabel(state), () =>
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
  return <Menu label={`More about ${view.preview || 'this task'}`} size="small" items={items} />;
}

/** What following an ended task again is for. */
export function followLabel({ status }: VideoState): string {
  return status === 'completed' ? 'Retry download' : 'Follow again';
}

function entry(id: string, label: string, onSelect: () => void): Exclude<MenuEntry, 'separator'> {
  return { id, label, onSelect };
}
