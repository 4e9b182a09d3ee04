import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';
import { ChevronDownIcon } from './icons/status.tsx';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

export interface SelectProps<Value extends string> extends FieldProps {
  value: Value;
  options: readonly SelectOption<Value>[];
  onValueChange: (value: Value) => void;
  disabled?: boolean | undefined;
}

/** The platform's own list: role `combobox`, no script of ours. */
export function Select<Value extends string>({
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  options,
  onValueChange,
  disabled,
}: SelectProps<Value>) {
  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      {(ids) => (
        <span className={styles.selectBox}>
          <select
            {...ids}
            className={classNames(styles.control, styles.select)}
            value={value}
            disabled={disabled}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen !== undefined) onValueChange(chosen.value);
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDownIcon size={12} />
        </span>
      )}
    </Field>
  );
}
