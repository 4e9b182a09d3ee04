import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Connection, ConnectionActivity } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { announceAdded } from '../../run/form/use-connection.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditIcon, PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { KeyIcon } from '../../ui/icons/status.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { ConnectionTestResult, useConnectionTest } from './connection-test.tsx';
import { ConnectionTransfer } from './connection-transfer.tsx';
import styles from './connections.module.css';
import { describeKey } from './key-fields.tsx';
import settingsStyles from './settings.module.css';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; connection: Connection };

export function ConnectionsSection() {
  const { connections, selected, isPending, error } = useConnections();
  const [task, setTask] = useState<Task | null>(null);
  /** Connections that were just added or imported; the first one gets the focus. */
  const [added, setAdded] = useState<readonly string[]>([]);
  const closeTask = () => setTask(null);
  return (
    <>
      <div className={styles.head}>
        <p className={styles.intro}>
          Your gateways’ base URLs and API keys. Runs use the selected connection.
        </p>
        <Button icon={<PlusIcon size={14} />} onClick={() => setTask({ kind: 'add' })}>
          Add connection
        </Button>
      </div>
      {error !== null && <ErrorAlert error={error} />}
      {isPending && <Spinner label="Loading connections" />}
      {connections.length > 0 && (
        <ul className={settingsStyles.card} aria-label="Connections">
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              selected={connection.id === selected?.id}
              isNew={added.includes(connection.id)}
              getsFocus={connection.id === added[0]}
              onEdit={() => setTask({ kind: 'edit', connection })}
              onDelete={() => setTask({ kind: 'delete', connection })}
            />
          ))}
        </ul>
      )}
      <ConnectionTransfer
        hasOwn={connections.some(({ kind }) => kind === 'custom')}
        onImported={setAdded}
      />
      {task !== null && task.kind !== 'delete' && (
        <ConnectionDialog
          connection={task.kind === 'edit' ? task.connection : null}
          onSaved={({ connection, isSelected }) => {
            if (task.kind === 'edit') return;
            setAdded([connection.id]);
            if (isSelected) announceAdded(connection.id);
          }}
          onClose={closeTask}
        />
      )}
      {task?.kind === 'delete' && (
        <DeleteConnection connection={task.connection} onClose={closeTask} />
      )}
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
      {describeActivity(activity.data).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {remove.error !== null && <ErrorAlert error={toAppError(remove.error)} />}
    </ConfirmDialog>
  );
}

function describeActivity(activity: ConnectionActivity | undefined): string[] {
  if (activity === undefined) return [];
  const { running, waiting, held } = activity;
  const heldCount = held.reduce((sum, { requests }) => sum + requests, 0);
  return [
    ...(running > 0 ? [`${pluralize(running, 'running request')} will continue.`] : []),
    ...(waiting > 0 ? [`${pluralize(waiting, 'waiting comparison request')} won’t be sent.`] : []),
    ...(heldCount > 0
      ? [`${pluralize(heldCount, 'unsent request')} in ${getNames(held)} can’t be sent anymore.`]
      : []),
  ];
}

const MAX_NAMES = 3;

function getNames(held: ConnectionActivity['held']): string {
  const others = held.length - MAX_NAMES;
  return new Intl.ListFormat('en-US').format([
    ...held.slice(0, MAX_NAMES).map(({ title }) => `“${title}”`),
    ...(others > 0 ? [pluralize(others, 'other comparison')] : []),
  ]);
}

interface ConnectionRowProps {
  connection: Connection;
  selected: boolean;
  isNew: boolean;
  /** Scrolls the row into view and focuses it. */
  getsFocus: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function ConnectionRow(props: ConnectionRowProps) {
  const { connection, selected, isNew, getsFocus, onEdit, onDelete } = props;
  const { id, name, baseUrl, kind, unavailable } = connection;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!getsFocus) return;
    // Wait for a closing dialog to restore focus first.
    const frame = requestAnimationFrame(() => {
      row.current?.scrollIntoView({ block: 'nearest' });
      row.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [getsFocus]);
  const address = unavailable === undefined ? baseUrl : `Unavailable. ${unavailable}`;
  const test = useConnectionTest(id);
  const use = () =>
    selectConnection(id).catch(() =>
      showToast({ message: `Couldn’t select ${name}. Try again.`, tone: 'danger' }),
    );
  return (
    <li
      ref={row}
      tabIndex={-1}
      className={classNames(styles.connection, isNew && styles.added, 'stack-8')}
      aria-label={name}
    >
      <div className={styles.line}>
        <div className={styles.about}>
          <p className={classNames(styles.name, 'row-8')}>
            {name}
            {selected && <span className={classNames(styles.chip, styles.inUse)}>In use</span>}
            {isNew && <span className={styles.chip}>New</span>}
          </p>
          <p className={classNames(styles.url, 'truncate mono')} title={address}>
            {address}
          </p>
          <p className="row-4 hint">
            <KeyIcon size={12} />
            {describeKey(connection)}
          </p>
        </div>
        <div className={styles.actions}>
          {!selected && (
            <Button size="small" variant="quiet" onClick={use}>
              Use
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            busy={test.isFetching}
            onClick={() => void test.refetch()}
          >
            Test
          </Button>
          {kind === 'custom' && (
            <>
              <IconButton label={`Edit ${name}`} icon={<EditIcon />} onClick={onEdit} />
              <IconButton label={`Delete ${name}`} icon={<TrashIcon />} onClick={onDelete} />
            </>
          )}
        </div>
      </div>
      {!test.isFetching && <ConnectionTestResult found={test.data} failure={test.error} />}
    </li>
  );
}
