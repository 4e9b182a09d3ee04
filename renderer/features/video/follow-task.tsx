import { type FormEvent, useState } from 'react';
import { useConnections } from '../../lib/connections.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './task-list.module.css';
import { useTaskActions } from './use-task-actions.ts';

/** A task that was submitted elsewhere, or whose answer was lost, by its id. */
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
    <form className={styles.follow} noValidate onSubmit={(event) => void onFollow(event)}>
      <div className={styles.followRow}>
        <TextField
          label="Follow a task by ID"
          className={styles.followField}
          monospace
          placeholder="Task ID"
          value={taskId}
          error={missing ? 'Enter the ID of a task.' : null}
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
      {problem !== null && <ErrorAlert compact error={problem} />}
    </form>
  );
}
