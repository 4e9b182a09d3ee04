import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentPropsWithRef, CSSProperties } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps, splitProps } from './field.tsx';

type AreaProps = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'onChange' | 'id' | 'className'>;

interface TextAreaProps extends FieldProps, AreaProps {
  value: string;
  onValueChange: (value: string) => void;
  /** Set for code and JSON; it also turns off spell-check. */
  monospace?: boolean;
  /** The text area grows with its text from `rows` to `maxRows`, then scrolls. */
  autoGrow?: boolean;
  maxRows?: number;
  /** Shows one line until focused, then up to ten. */
  folds?: boolean;
}

/** Longer text always gets `maxRows`, because measuring a megabyte on every keystroke is slow. */
const MAX_MEASURED_LENGTH = 20_000;

export function TextArea(props: TextAreaProps) {
  const { field, control } = splitProps(props);
  const { value, onValueChange, monospace = false, rows = 3, maxRows = 12, ...others } = control;
  const { autoGrow = false, folds = false, ...rest } = others;
  const height = (lines: number) => `calc(${lines}lh + 2 * var(--space-6) + 2px)`;
  const long = value.length > MAX_MEASURED_LENGTH;
  // Detecting the direction of each paragraph would make layout of long text take seconds.
  const fixed: CSSProperties = long ? { fieldSizing: 'fixed', unicodeBidi: 'isolate' } : {};
  const growing: CSSProperties = {
    minHeight: height(long ? maxRows : rows),
    maxHeight: height(maxRows),
    ...fixed,
  };
  return (
    <Field {...field}>
      <BaseField.Control
        render={
          <textarea
            dir={monospace ? 'ltr' : 'auto'}
            autoComplete="off"
            spellCheck={!monospace}
            {...rest}
            rows={folds && long ? maxRows : rows}
          />
        }
        className={classNames(
          styles.control,
          styles.area,
          (autoGrow || folds) && styles.autoGrow,
          folds && styles.folds,
          monospace && styles.monospace,
        )}
        style={autoGrow && !folds ? growing : fixed}
        value={value}
        onValueChange={onValueChange}
      />
    </Field>
  );
}
