import { FORMAT, listFormats } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getParamValue } from '../../../shared/param.ts';
import { useConnections } from '../../lib/connections.ts';
import { Select } from '../../ui/select.tsx';
import type { Form } from './form.ts';
import { ModelPicker } from './model-picker/model-picker.tsx';
import { setFormat } from './parameters.ts';
import styles from './run-pickers.module.css';
import { chooseConnection, useConnection } from './use-connection.ts';
import { useForm } from './use-form.ts';

interface RunPickersProps {
  form: Form<OperationName>;
  /** False if the format is among the parameters. */
  hasFormat?: boolean;
}

/** Renders one control that lists the models of all connections and switches between them. */
export function RunPickers({ form, hasFormat = true }: RunPickersProps) {
  return (
    <span className={styles.picker}>
      <span data-field="connection" className={styles.place}>
        <ConnectionPicker form={form} className={styles.connection} />
      </span>
      <span data-field="model" className={styles.place}>
        <ModelPicker form={form} className={styles.model} />
      </span>
      {hasFormat && <FormatPicker form={form} />}
    </span>
  );
}

/** Renders the pickers on separate lines, each below its label. */
export function LabeledPickers({ form }: { form: Form<OperationName> }) {
  return (
    <>
      <ConnectionPicker form={form} isLabeled />
      <span data-field="model" className={styles.place}>
        <ModelPicker form={form} isLabeled />
      </span>
      <FormatPicker form={form} isLabeled />
    </>
  );
}

/** Chooses the API that requests are written for, if the operation has several. */
export function FormatPicker({ form, isLabeled = false }: PickerProps) {
  const format = useForm(form, ({ params }) => getParamValue(params, FORMAT));
  const formats = listFormats(form.operation);
  if (formats.length === 0) return null;
  return (
    <Select
      label="Format"
      hideLabel={!isLabeled}
      className={isLabeled ? undefined : styles.format}
      value={typeof format === 'string' ? format : ''}
      options={formats.map(({ name, title }) => ({ value: name, label: title }))}
      onValueChange={(name) => setFormat(form, name)}
    />
  );
}

interface PickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
  /** Shows the name above the control. */
  isLabeled?: boolean;
}

const unchosen = { value: '', label: 'Choose…', disabled: true };

export function ConnectionPicker({ form, className, isLabeled = false }: PickerProps) {
  const { connections } = useConnections();
  const connection = useConnection(form);
  return (
    <Select
      label="Connection"
      hideLabel={!isLabeled}
      className={className}
      value={connection?.id ?? ''}
      options={[
        // Without an empty option, the select would display the first connection as selected.
        ...(connection === null && connections.length > 0 ? [unchosen] : []),
        ...connections.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onValueChange={(id) => chooseConnection(form, id)}
      disabled={connections.length === 0}
    />
  );
}
