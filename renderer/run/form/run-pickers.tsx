import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useConnections } from '../../lib/connections.ts';
import { Select } from '../../ui/select.tsx';
import type { Form } from './form.ts';
import { ModelPicker } from './model-picker.tsx';
import styles from './run-pickers.module.css';
import { chooseConnection, useConnection } from './use-connection.ts';

/** Connection and model side by side, for the head of a panel. */
export function RunPickers({ form }: { form: Form<OperationName> }) {
  return (
    <>
      <span data-field="connection" className={styles.place}>
        <ConnectionPicker form={form} className={styles.connection} />
      </span>
      <span data-field="model" className={styles.place}>
        <ModelPicker form={form} className={styles.model} />
      </span>
    </>
  );
}

interface PickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
}

const unchosen = { value: '', label: 'Choose…', disabled: true };

/** The connection that every panel runs against, and a conversation its own. */
export function ConnectionPicker({ form, className }: PickerProps) {
  const { connections } = useConnections();
  const connection = useConnection(form);
  return (
    <Select
      label="Connection"
      hideLabel
      className={className}
      value={connection?.id ?? ''}
      options={[
        // Otherwise the list would show its first connection as the one chosen.
        ...(connection === null && connections.length > 0 ? [unchosen] : []),
        ...connections.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onValueChange={(id) => chooseConnection(form, id)}
      disabled={connections.length === 0}
    />
  );
}
