import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { useConnections } from '../../lib/connections.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { ConnectionRow } from './connection-row.tsx';
import connectionStyles from './connections.module.css';
import { DeleteConnection } from './delete-connection.tsx';
import styles from './settings.module.css';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; connection: Connection };

export function ConnectionsSection() {
  const { connections, selected, isPending, error } = useConnections();
  const [task, setTask] = useState<Task | null>(null);
  const done = () => setTask(null);
  return (
    <>
      <div className={connectionStyles.head}>
        <p className={connectionStyles.intro}>
          A gateway’s base URL and its key. Runs go to the connection in use.
        </p>
        <Button icon={<PlusIcon size={14} />} onClick={() => setTask({ kind: 'add' })}>
          Add connection
        </Button>
      </div>
      {error !== null && <ErrorAlert error={error} />}
      {isPending && <Spinner label="Loading connections" />}
      {connections.length > 0 && (
        <ul className={styles.card} aria-label="Connections">
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              selected={connection.id === selected?.id}
              onEdit={() => setTask({ kind: 'edit', connection })}
              onDelete={() => setTask({ kind: 'delete', connection })}
            />
          ))}
        </ul>
      )}
      {task?.kind === 'add' && <ConnectionDialog connection={null} onClose={done} />}
      {task?.kind === 'edit' && <ConnectionDialog connection={task.connection} onClose={done} />}
      {task?.kind === 'delete' && <DeleteConnection connection={task.connection} onClose={done} />}
    </>
  );
}
