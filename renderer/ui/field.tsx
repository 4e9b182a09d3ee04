import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { ErrorIcon } from './icons/status.tsx';

export interface FieldProps {
  label: string;
  /** Hides the label visually but keeps it for screen readers. */
  hideLabel?: boolean | undefined;
  help?: ReactNode | undefined;
  /** Shown below the field, which is also marked as invalid. */
  error?: string | null | undefined;
  className?: string | undefined;
}

/** Separates props for the label and messages from props for the control. */
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
