import type { FieldError } from '../../../shared/errors.ts';
import { classNames } from '../../ui/class-names.ts';
import { SecretField } from '../../ui/secret-field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connection-dialog.module.css';
import { createValue, type ValueField } from './connection-fields.ts';
import { ValueRows } from './value-rows.tsx';

interface ConnectionValuesProps {
  noun: 'header' | 'query parameter';
  title: string;
  help: string;
  values: readonly ValueField[];
  /** If true, new entries are secret. */
  isSecret: boolean;
  /** Errors at `<index>, <field>`. */
  errors: readonly FieldError[];
  onChange: (values: readonly ValueField[]) => void;
}

/** Edits headers or query parameters, one per row. */
export function ConnectionValues({ values, isSecret, ...rows }: ConnectionValuesProps) {
  return (
    <ValueRows
      {...rows}
      rows={values}
      createRow={() => createValue(isSecret)}
      onName={(value, name) => ({ ...value, name })}
    >
      {(value, { noun, error, onChange }) => (
        <>
          <ValueText
            label={`Value of ${noun}`}
            field={value}
            error={error}
            onChange={(text) => onChange({ ...value, value: text })}
          />
          <span className={classNames(styles.secret, 'row-4 caption')}>
            <Switch
              label={`${capitalize(noun)} is secret`}
              hideLabel
              checked={value.isSecret}
              onCheckedChange={(next) => onChange({ ...value, isSecret: next })}
            />
            <span aria-hidden>Secret</span>
          </span>
        </>
      )}
    </ValueRows>
  );
}

interface ValueTextProps {
  label: string;
  field: ValueField;
  error: string | null;
  onChange: (text: string) => void;
}

/** A saved secret can be replaced but not shown. */
function ValueText({ label, field, error, onChange }: ValueTextProps) {
  const { value, isSecret, savedVariables } = field;
  if (!isSecret) {
    return (
      <TextField
        label={label}
        value={value}
        error={error}
        hideLabel
        placeholder="Value"
        monospace
        onValueChange={onChange}
      />
    );
  }
  return (
    <SecretField
      label={label}
      value={value}
      error={error}
      hideLabel
      noun={label.toLowerCase()}
      placeholder={describeSaved(savedVariables)}
      onValueChange={onChange}
    />
  );
}

function describeSaved(variables: readonly string[] | null): string {
  if (variables === null) return 'Value';
  return variables.length === 0
    ? 'Saved'
    : `Saved, with ${variables.map((name) => `$${name}`).join(', ')}`;
}

function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
