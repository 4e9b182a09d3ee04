import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { ErrorIcon } from './icons/status.tsx';

export interface FieldProps {
  label: string;
  /** Hides the label visually but keeps the text for screen readers. */
  hideLabel?: boolean | undefined;
  help?: ReactNode | undefined;
  /** Shows the error below the field and marks the field as invalid. */
  error?: string | null | undefined;
  className?: string | undefined;
}

/** Separates the props of the label and messages from the props of the control. */
export function splitProps<Props extends FieldProps>(props: Props) {
  const { label, hideLabel, help, error, className, ...control } = props;
  return { field: { label, hideLabel, help, error, className }, control };
}

export function Field({
  label,
  hideLabel = false,
  help,
  error = null,
  className,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <BaseField.Root invalid={error !== null} className={classNames('stack-4', className)}>
      <BaseField.Label className={hideLabel ? 'visually-hidden' : 'label'}>{label}</BaseField.Label>
      {children}
      {error !== null && (
        <BaseField.Error match className={styles.error}>
          <ErrorIcon size={14} />
          {error}
        </BaseField.Error>
      )}
      {help !== undefined && <BaseField.Description className="hint">{help}</BaseField.Description>}
    </BaseField.Root>
  );
}
