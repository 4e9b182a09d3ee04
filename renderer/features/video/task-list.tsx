import { type FormEvent, useState } from 'react';
import { useConnections } from '../../lib/connections.ts';
import { RunError } from '../../run/frame/run-error.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { tasksPlace, useTaskActions } from './task-actions.ts';
import styles from './task-list.module.css';
import { TaskRow } from './task-row.tsx';

export function TaskList({ shownId }: { shownId: string | null }) {
  const actions = useTaskActions();
  const { runs, isPending, hasMore, error, retry, showMore } = useRuns({
    operation: 'video',
    pageSize: 20,
  });
  const roving = useRovingList({
    keys: runs.map(({ id }) => id),
    currentKey: shownId,
    getItemText: (index) => runs[index]?.preview ?? '',
  });
  /** Moves focus to the next task. */
  async function remove(index: number) {
    const run = runs[index];
    if (run === undefined || !(await actions.remove(run))) return;
    roving.moveTo(index + 1 < runs.length ? index + 1 : index - 1);
  }

  return (
    <>
      <div className={classNames(styles.head, 'row-8')}>
        <h2 className={styles.title}>Tasks</h2>
        {runs.length > 0 && (
          <span className="hint">{hasMore ? `latest ${runs.length}` : runs.length}</span>
        )}
      </div>
      {error !== null && <ErrorAlert compact error={error} onRetry={retry} />}
      <UndoBars place={tasksPlace} className={styles.undo} />
      {actions.problem !== null && <RunError compact error={actions.problem} />}
      {!isPending && error === null && runs.length === 0 && (
        <p className={classNames(styles.empty, 'caption')}>Tasks are kept after a restart.</p>
      )}
      {runs.length > 0 && (
        <ul className={styles.list} {...roving.listProps}>
          {runs.map((run, index) => (
            <TaskRow
              key={run.id}
              tabIndex={roving.getTabIndex(index)}
              run={run}
              shown={run.id === shownId}
              actions={actions}
              onDelete={() => void remove(index)}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <div className={styles.more}>
          <Button size="small" variant="quiet" onClick={showMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** Follows a task by ID, such as one submitted by another client. */
export function FollowTask() {
  const { selected } = useConnections();
  const { follow, busy, problem } = useTaskActions();
  const [taskId, setTaskId] = useState('');
  const [missing, setMissing] = useState(false);

  async function onFollow(event: FormEvent) {
    event.preventDefault();
    const id = taskId.trim();
    setMissing(id === '');
    if (id === '' || selected === null || busy) return;
    if (await follow(id, selected.id)) setTaskId('');
  }

  return (
    <form
      className={classNames(styles.follow, 'stack-8')}
      noValidate
      onSubmit={(event) => void onFollow(event)}
    >
      <div className={styles.followRow}>
        <TextField
          label="Follow a task by ID"
          className={styles.followField}
          monospace
          placeholder="Task ID"
          value={taskId}
          error={missing ? 'Enter a task ID.' : null}
          onValueChange={(id) => {
            setTaskId(id);
            setMissing(false);
          }}
        />
        <Button
          type="submit"
          busy={busy}
          disabledReason={selected === null ? 'Choose a connection first.' : null}
        >
          Follow
        </Button>
      </div>
      {problem !== null && <RunError compact error={problem} />}
    </form>
  );
}
