import { useMutation } from '@tanstack/react-query';
import type { Connection } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';

export interface DeleteConnectionProps {
  connection: Connection;
  onClose: () => void;
}

export function DeleteConnection({ connection, onClose }: DeleteConnectionProps) {
  const remove = useMutation({
    ...orpc.connections.remove.mutationOptions(),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${connection.name}?`}
      confirmLabel="Delete"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ id: connection.id })}
      onClose={onClose}
    >
      <p>
        {connection.key === null
          ? 'The connection is removed from this machine.'
          : 'The connection and its key are removed from this machine.'}{' '}
        Its runs and conversations stay.
      </p>
      {remove.error !== null && <ErrorAlert error={toAppError(remove.error)} />}
    </ConfirmDialog>
  );
}
