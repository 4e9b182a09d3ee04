import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { ErrorIcon } from './icons/status.tsx';

/** The props of every labeled control. */
export interface FieldProps {
  label: string;
  /** Reads the label out without showing it. */
  hideLabel?: boolean | undefined;
  help?: ReactNode | undefined;
  /** Appears under the field and marks it invalid. */
  error?: string | null | undefined;
  className?: string | undefined;
}

/** Labels and describes the Base UI control inside it. */
export function Field({
  label,
  hideLabel = false,
  help,
  error = null,
  className,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <BaseField.Root invalid={error !== null} className={classNames(styles.field, className)}>
      <BaseField.Label className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </BaseField.Label>
      {children}
      {error !== null && (
        <BaseField.Error match className={styles.error}>
          <ErrorIcon size={14} />
          {error}
        </BaseField.Error>
      )}
      {help !== undefined && (
        <BaseField.Description className={styles.help}>{help}</BaseField.Description>
      )}
    </BaseField.Root>
  );
}
