import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';
import styles from './form-dialog.module.css';
import { useDiscardQuestion } from './use-discard-question.tsx';

interface FormDialogProps {
  title: string;
  size?: 'small' | 'medium';
  saveLabel?: string;
  closeLabel?: string;
  /** Leaving is confirmed while something would be lost. */
  isChanged?: boolean;
  /** Why it cannot be saved as it is. */
  disabledReason?: string | null;
  busy?: boolean;
  /** Why it was not saved. */
  error?: AppError | null;
  /** A field of the form says the error. */
  isErrorInField?: boolean;
  /** By the button or Enter. */
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form that is saved or left: its fields, its error, and Cancel and Save below them. */
export function FormDialog({
  saveLabel = 'Save',
  closeLabel = 'Cancel',
  isChanged = false,
  disabledReason = null,
  busy = false,
  error = null,
  isErrorInField = false,
  onSave,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { close, question } = useDiscardQuestion(isChanged, onClose);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <Dialog
      open
      {...dialog}
      onClose={close}
      actions={
        question ?? (
          <>
            <Button onClick={close}>{closeLabel}</Button>
            <Button
              variant="primary"
              type="submit"
              form={id}
              busy={busy}
              disabledReason={disabledReason}
            >
              {saveLabel}
            </Button>
          </>
        )
      }
    >
      <form
        ref={form}
        id={id}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && disabledReason === null) onSave();
        }}
      >
        {children}
        {error !== null && !isErrorInField && <ErrorAlert error={error} compact />}
      </form>
    </Dialog>
  );
}
