import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentPropsWithRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps, splitProps } from './field.tsx';

type InputProps = Omit<ComponentPropsWithRef<'input'>, 'value' | 'onChange' | 'id' | 'className'>;

interface TextFieldProps extends FieldProps, InputProps {
  value: string;
  onValueChange: (value: string, details: { event: Event }) => void;
  monospace?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { field, control } = splitProps(props);
  const { value, onValueChange, monospace = false, ...rest } = control;
  return (
    <Field {...field}>
      <BaseField.Control
        render={
          <input
            type="text"
            dir={monospace ? 'ltr' : 'auto'}
            autoComplete="off"
            spellCheck={false}
            {...rest}
          />
        }
        className={classNames(styles.control, monospace && styles.monospace)}
        value={value}
        onValueChange={onValueChange}
      />
    </Field>
  );
}
