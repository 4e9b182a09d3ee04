import { toAppError } from '../../lib/app-error.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { Select } from '../../ui/select.tsx';
import { showToast } from '../../ui/show-toast.ts';

function choose(id: string): void {
  selectConnection(id).catch((error: unknown) =>
    showToast({ message: toAppError(error).message, tone: 'danger' }),
  );
}

/** The connection that every panel runs against. */
export function ConnectionPicker({ className }: { className?: string | undefined }) {
  const { connections, selected } = useConnections();
  return (
    <Select
      label="Connection"
      hideLabel
      className={className}
      value={selected?.id ?? ''}
      options={connections.map(({ id, name }) => ({ value: id, label: name }))}
      onValueChange={choose}
      disabled={connections.length === 0}
    />
  );
}
