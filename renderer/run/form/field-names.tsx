import type { FieldError } from '../../../shared/errors.ts';
import type { RenamableField } from '../../../shared/operations/form/describe.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './field-names.module.css';
import sidebar from './parameter-sidebar.module.css';

interface FieldNamesProps {
  fields: readonly RenamableField[];
  /** As typed; an empty name is the field's own. */
  wireNames: RunInput['wireNames'];
  errors: readonly FieldError[];
  onRename: (field: string, name: string) => void;
}

/** What fields are called in the request, where the interface leaves it open and gateways differ. */
export function FieldNames({ fields, wireNames, errors, onRename }: FieldNamesProps) {
  return (
    <fieldset aria-label="API field names" className={sidebar.group}>
      <h3 className={sidebar.groupTitle}>API field names</h3>
      <p className={styles.note}>
        Change a name if your gateway expects a different one. Leave blank for the default.
      </p>
      <div className={styles.names}>
        {fields.map((field) => (
          <FieldName
            key={field.name}
            field={field}
            name={wireNames[field.name] ?? ''}
            error={fieldMessage(errors, 'wireNames', field.name)}
            onName={(name) => onRename(field.name, name)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface FieldNameProps {
  field: RenamableField;
  name: string;
  error: string | null;
  onName: (name: string) => void;
}

function FieldName({ field, name, error, onName }: FieldNameProps) {
  const box = {
    label: `${field.title} field name`,
    hideLabel: true,
    monospace: true,
    placeholder: field.name,
    value: name,
    error,
    onValueChange: onName,
  };
  return (
    <>
      <span aria-hidden="true">{field.title}</span>
      {field.otherNames.length > 0 ? (
        <Combobox
          {...box}
          className={styles.wide}
          suggestions={field.otherNames.map((value) => ({ value }))}
        />
      ) : (
        <TextField {...box} />
      )}
    </>
  );
}
