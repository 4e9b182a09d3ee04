import type { ComponentPropsWithRef, CSSProperties } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';

type AreaProps = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'onChange' | 'id' | 'className'>;

export interface TextAreaProps extends FieldProps, AreaProps {
  value: string;
  onValueChange: (value: string) => void;
  /** Code, JSON and the like: its spelling is not checked. */
  monospace?: boolean;
  /** Grows with its text from `rows` up to `maxRows`, then scrolls. */
  autoGrow?: boolean;
  maxRows?: number;
  /** One line until it has the focus, then up to ten. */
  folds?: boolean;
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
  folds = false,
  ...rest
}: TextAreaProps) {
  const height = (lines: number) => `calc(${lines}lh + 2 * var(--space-6) + 2px)`;
  const long = value.length > measuredLength;
  const fixed: CSSProperties = long ? { fieldSizing: 'fixed' } : {};
  const growing: CSSProperties = {
    minHeight: height(long ? maxRows : rows),
    maxHeight: height(maxRows),
    ...fixed,
  };
  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      {(ids) => (
        <textarea
          autoComplete="off"
          spellCheck={!monospace}
          {...rest}
          {...ids}
          rows={folds && long ? maxRows : rows}
          className={classNames(
            styles.control,
            styles.area,
            (autoGrow || folds) && styles.autoGrow,
            folds && styles.folds,
            monospace && styles.monospace,
          )}
          style={folds ? fixed : autoGrow ? growing : undefined}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  );
}
