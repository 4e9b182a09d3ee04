import { ConfirmDialog } from '../../ui/dialog.tsx';

export interface DoomedTask {
  runId: string;
  /** The gateway may still work on it. */
  live: boolean;
}

interface DeleteTaskProps {
  doomed: DoomedTask | null;
  busy: boolean;
  onDelete: (doomed: DoomedTask) => void;
  onClose: () => void;
}

export function DeleteTask({ doomed, busy, onDelete, onClose }: DeleteTaskProps) {
  return (
    <ConfirmDialog
      open={doomed !== null}
      title="Delete this task?"
      confirmLabel="Delete"
      danger
      busy={busy}
      onConfirm={() => doomed !== null && onDelete(doomed)}
      onClose={onClose}
    >
      {doomed?.live
        ? 'Gatehouse forgets the task and its id. The gateway cannot be told to cancel it: it goes on and may bill it.'
        : 'The run with its request and replies goes. Its video stays among the stored media.'}
    </ConfirmDialog>
  );
}
