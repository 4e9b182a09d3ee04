import { useRef } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connection-dialog.module.css';
import { createValue, type ValueField } from './connection-fields.ts';

interface ConnectionValuesProps {
  /** The name of one entry, such as `header`. */
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
export function ConnectionValues(props: ConnectionValuesProps) {
  const { noun, title, help, values, isSecret, errors, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  const edit = (id: string, changed: Partial<ValueField>) =>
    onChange(values.map((value) => (value.id === id ? { ...value, ...changed } : value)));
  const add = () => {
    onChange([...values, createValue(isSecret)]);
    // The row is added before the next frame.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('li:last-child input')?.focus(),
    );
  };
  return (
    <fieldset className={classNames(styles.group, 'stack-8')}>
      <legend className={classNames(styles.legend, 'label')}>{title}</legend>
      {values.length > 0 && (
        <ul ref={list} aria-label={title} className="stack-8">
          {values.map((value, index) => (
            <li key={value.id} className={styles.value}>
              <TextField
                label={`Name of ${noun} ${index + 1}`}
                hideLabel
                placeholder="Name"
                monospace
                value={value.name}
                onValueChange={(name) => edit(value.id, { name })}
                error={fieldMessage(errors, String(index), 'name')}
              />
              <ValueText
                label={`Value of ${noun} ${index + 1}`}
                field={value}
                error={fieldMessage(errors, String(index), 'value')}
                onChange={(text) => edit(value.id, { value: text })}
              />
              <span className={classNames(styles.secret, 'row-4 caption')}>
                <Switch
                  label={`${capitalize(noun)} ${index + 1} is secret`}
                  hideLabel
                  checked={value.isSecret}
                  onCheckedChange={(next) => edit(value.id, { isSecret: next })}
                />
                <span aria-hidden>Secret</span>
              </span>
              <IconButton
                label={`Delete ${noun} ${index + 1}`}
                icon={<TrashIcon size={14} />}
                onClick={() => onChange(values.filter(({ id }) => id !== value.id))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="row-8">
        <Button size="small" icon={<PlusIcon size={14} />} onClick={add}>
          Add {noun}
        </Button>
        {values.length > 0 && <span className="hint">{help}</span>}
      </div>
    </fieldset>
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
        {...{ label, value, error }}
        hideLabel
        placeholder="Value"
        monospace
        onValueChange={onChange}
      />
    );
  }
  return (
    <SecretField
      {...{ label, value, error }}
      hideLabel
      noun="value"
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
