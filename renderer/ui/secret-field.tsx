import { Field as BaseField } from '@base-ui/react/field';
import { type ComponentPropsWithRef, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Field, type FieldProps, splitProps } from './field.tsx';
import { IconButton } from './icon-button.tsx';
import { EyeIcon, EyeOffIcon } from './icons/actions.tsx';

type InputProps = Omit<
  ComponentPropsWithRef<'input'>,
  'value' | 'onChange' | 'id' | 'className' | 'type'
>;

interface SecretFieldProps extends FieldProps, InputProps {
  value: string;
  onValueChange: (value: string, details: { event: Event }) => void;
  /** The secret's name in the button, as in “Show key”. */
  noun?: string;
}

/** Hides the text until the user reveals it. */
export function SecretField(props: SecretFieldProps) {
  const { field, control } = splitProps(props);
  const { value, onValueChange, noun = 'key', ...rest } = control;
  const [isShown, setIsShown] = useState(false);
  return (
    <Field {...field}>
      <span className={styles.secretBox}>
        <BaseField.Control
          render={
            <input
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              {...rest}
              type={isShown ? 'text' : 'password'}
            />
          }
          className={classNames(styles.control, styles.monospace, styles.secret)}
          value={value}
          onValueChange={onValueChange}
        />
        <IconButton
          size="small"
          className={styles.eye}
          label={isShown ? `Hide ${noun}` : `Show ${noun}`}
          icon={isShown ? <EyeOffIcon size={14} /> : <EyeIcon size={14} />}
          onClick={() => setIsShown(!isShown)}
        />
      </span>
    </Field>
  );
}
