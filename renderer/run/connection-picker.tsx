import { selectConnection, useConnections } from '../lib/connections.ts';
import { Select } from '../ui/select.tsx';

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
      onValueChange={(id) => void selectConnection(id)}
      disabled={connections.length === 0}
    />
  );
}
