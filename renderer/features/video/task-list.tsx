import { type FormEvent, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { api } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { rememberMedia } from '../../media/players/use-media.ts';
import { RunError } from '../../run/frame/run-error.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { isSubmitting } from './describe-task.ts';
import { tasksPlace, useTaskActions } from './task-actions.ts';
import styles from './task-list.module.css';
import { findVideo, TaskRow } from './task-row.tsx';

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
  const [renamed, setRenamed] = useState<Media | null>(null);
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
        <ul
          className={styles.list}
          {...roving.listProps}
          onKeyDown={(event) => {
            const run = runs[roving.stop];
            if (event.key === 'Delete' && run !== undefined) {
              event.preventDefault();
              // Ignore key repeat, which would also delete the next task.
              if (!event.repeat && !isSubmitting(run)) void remove(roving.stop);
            } else if (event.key === 'F2' && run !== undefined) {
              event.preventDefault();
              setRenamed(findVideo(run));
            } else roving.listProps.onKeyDown(event);
          }}
        >
          {runs.map((run, index) => (
            <TaskRow
              key={run.id}
              tabIndex={roving.getTabIndex(index)}
              run={run}
              shown={run.id === shownId}
              actions={actions}
              onRename={() => setRenamed(findVideo(run))}
              onDelete={() => void remove(index)}
            />
          ))}
        </ul>
      )}
      {renamed !== null && <RenameVideo video={renamed} onClose={() => setRenamed(null)} />}
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

interface RenameVideoProps {
  video: Media;
  onClose: () => void;
}

function RenameVideo({ video, onClose }: RenameVideoProps) {
  const [name, setName] = useState(getMediaTitle(video));
  const { attempt, busy, error } = useAttempt();
  const problem = name.trim() === '' ? 'Enter a name.' : null;
  return (
    <FormDialog
      size="small"
      title="Rename video"
      saveLabel="Rename"
      busy={busy}
      disabledReason={problem}
      error={error}
      onSave={() =>
        void attempt(async () => {
          rememberMedia(await api.media.rename({ id: video.id, name: name.trim() }));
          onClose();
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={200}
        error={problem}
        onValueChange={setName}
      />
    </FormDialog>
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
