import type { ComponentPropsWithRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';

type AreaProps = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'onChange' | 'id' | 'className'>;

export interface TextAreaProps extends FieldProps, AreaProps {
  value: string;
  onValueChange: (value: string) => void;
  monospace?: boolean;
  /** Grows with its text from `rows` up to `maxRows`, then scrolls. */
  autoGrow?: boolean;
  maxRows?: number;
}

export function TextArea({
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  onValueChange,
  monospace = false,
  autoGrow = false,
  rows = 3,
  maxRows = 12,
  ...rest
}: TextAreaProps) {
  const height = (lines: number) => `calc(${lines}lh + 2 * var(--space-6) + 2px)`;
  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      {(ids) => (
        <textarea
          autoComplete="off"
          {...rest}
          {...ids}
          rows={rows}
          className={classNames(
            styles.control,
            styles.area,
            autoGrow && styles.autoGrow,
            monospace && styles.monospace,
          )}
          style={autoGrow ? { minHeight: height(rows), maxHeight: height(maxRows) } : undefined}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  );
}
