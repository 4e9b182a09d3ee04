// A native select: the platform's list handles hundreds of options and type-ahead.
import { Field as BaseField } from '@base-ui/react/field';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';
import { ChevronDownIcon } from './icons/status.tsx';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

interface SelectProps<Value extends string> extends FieldProps {
  value: Value;
  options: readonly SelectOption<Value>[];
  onValueChange: (value: Value) => void;
  disabled?: boolean | undefined;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onValueChange, disabled, ...field } = props;
  return (
    <Field {...field}>
      <span className={styles.selectBox}>
        <BaseField.Control
          render={
            <select>
              {options.map((option) => (
                <option key={option.value} value={option.value} disabled={option.disabled}>
                  {option.label}
                </option>
              ))}
            </select>
          }
          className={classNames(styles.control, styles.select)}
          value={value}
          disabled={disabled}
          onValueChange={(next) => {
            const chosen = options.find((option) => option.value === next);
            if (chosen !== undefined) onValueChange(chosen.value);
          }}
        />
        <ChevronDownIcon size={12} />
      </span>
    </Field>
  );
}
