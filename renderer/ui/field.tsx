import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { ErrorIcon } from './icons/status.tsx';

/** The props of every labeled control. */
export interface FieldProps {
  label: string;
  /** The label is read out but not shown: the place already says it. */
  hideLabel?: boolean | undefined;
  help?: ReactNode | undefined;
  /** A sentence under the field; marks it invalid. */
  error?: string | null | undefined;
  className?: string | undefined;
}

interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** Label, control, help and error, wired together by ids. */
export function Field({
  label,
  hideLabel = false,
  help,
  error = null,
  className,
  children,
}: FieldProps & { children: (ids: ControlIds) => ReactNode }) {
  const id = useId();
  const helpId = `${id}help`;
  const errorId = `${id}error`;
  const describedBy = [help !== undefined && helpId, error !== null && errorId].filter(Boolean);
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
        'aria-invalid': error !== null || undefined,
      })}
      {error !== null && (
        <p id={errorId} className={styles.error}>
          <ErrorIcon size={14} />
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  );
}
