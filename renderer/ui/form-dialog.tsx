import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

interface FormDialogProps {
  title: string;
  size?: 'small' | 'medium' | 'wide';
  saveLabel?: string;
  closeLabel?: string;
  /** If true, closing the dialog asks for confirmation first. */
  isChanged?: boolean;
  disabledReason?: string | null;
  busy?: boolean;
  /** Shown between Cancel and Save. */
  extraAction?: ReactNode;
  error?: AppError | null;
  /** Hides the error here when a field already shows it. */
  isErrorInField?: boolean;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog({
  saveLabel = 'Save',
  closeLabel = 'Cancel',
  isChanged = false,
  disabledReason = null,
  busy = false,
  extraAction,
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
    if (error === null) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    // The message is below the field.
    field?.scrollIntoView({ block: 'center' });
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
            {extraAction}
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
        className="stack-12"
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

/**
 * Asks before discarding changes. Call `close` to leave; render `question` in place of the actions.
 */
function useDiscardQuestion(isChanged: boolean, onClose: () => void) {
  const [wantsToClose, setWantsToClose] = useState(false);
  const isConfirming = wantsToClose && isChanged;
  const close = () => {
    if (isConfirming) setWantsToClose(false);
    else if (isChanged) setWantsToClose(true);
    else onClose();
  };
  const question = isConfirming ? (
    <div role="alertdialog" aria-label="Discard changes?" className="row-8 grow">
      <p className={styles.questionText}>Discard changes?</p>
      <Button autoFocus onClick={() => setWantsToClose(false)}>
        Keep editing
      </Button>
      <Button variant="danger" onClick={onClose}>
        Discard
      </Button>
    </div>
  ) : null;
  return { close, question };
}
