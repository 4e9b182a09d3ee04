import type { ComponentPropsWithRef, CSSProperties } from 'react';
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

/** Measuring a megabyte with every key makes typing slow: a longer text has `maxRows`. */
const measuredLength = 20_000;

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
  const long = value.length > measuredLength;
  const growing: CSSProperties = {
    minHeight: height(long ? maxRows : rows),
    maxHeight: height(maxRows),
    ...(long && { fieldSizing: 'fixed' }),
  };
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
          style={autoGrow ? growing : undefined}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  );
}
