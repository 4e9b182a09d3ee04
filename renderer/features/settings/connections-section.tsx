import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection, ConnectionActivity } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { ConnectionRow } from './connection-row.tsx';
import connectionStyles from './connections.module.css';
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
          Base URLs and keys of your gateways. Runs use the selected connection.
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
      {task?.kind === 'add' && (
        <ConnectionDialog connection={null} testShownElsewhere onClose={done} />
      )}
      {task?.kind === 'edit' && (
        <ConnectionDialog connection={task.connection} testShownElsewhere onClose={done} />
      )}
      {task?.kind === 'delete' && <DeleteConnection connection={task.connection} onClose={done} />}
    </>
  );
}

interface DeleteConnectionProps {
  connection: Connection;
  onClose: () => void;
}

function DeleteConnection({ connection, onClose }: DeleteConnectionProps) {
  const remove = useMutation({
    ...orpc.connections.remove.mutationOptions(),
    onSuccess: onClose,
  });
  const { id } = connection;
  // Both change while the question is read.
  const activity = useQuery(
    orpc.connections.activity.queryOptions({ input: { id }, refetchInterval: 1000 }),
  );
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${connection.name}?`}
      confirmLabel="Delete"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>
        {connection.key === null
          ? 'This deletes the connection.'
          : 'This deletes the connection and its key.'}{' '}
        Its runs and conversations are kept.
      </p>
      {describeActivity(activity.data).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {remove.error !== null && <ErrorAlert error={toAppError(remove.error)} />}
    </ConfirmDialog>
  );
}

/** What becomes of requests that use it; a sentence for each kind of which there are some. */
function describeActivity(activity: ConnectionActivity | undefined): string[] {
  if (activity === undefined) return [];
  const { running, waiting, held } = activity;
  const heldCount = held.reduce((sum, { requests }) => sum + requests, 0);
  return [
    ...(running > 0 ? [`${pluralize(running, 'running request')} will continue.`] : []),
    ...(waiting > 0
      ? [`${pluralize(waiting, 'waiting comparison request')} will not be sent.`]
      : []),
    ...(heldCount > 0
      ? [`${pluralize(heldCount, 'unsent request')} of ${getNames(held)} can no longer be sent.`]
      : []),
  ];
}

/** More make the question hard to read. */
const MAX_NAMES = 3;

function getNames(held: ConnectionActivity['held']): string {
  const others = held.length - MAX_NAMES;
  return new Intl.ListFormat('en-US').format([
    ...held.slice(0, MAX_NAMES).map(({ title }) => `“${title}”`),
    ...(others > 0 ? [pluralize(others, 'other comparison')] : []),
  ]);
}
