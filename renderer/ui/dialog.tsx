import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/actions.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  /** `full`: as large as the window allows, for a picture. */
  size?: 'small' | 'medium' | 'large' | 'full';
  /** The user must answer it: a press outside doesn't close it. */
  isQuestion?: boolean;
  /** Buttons at the bottom right; the main one last. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Dialog({
  open,
  title,
  onClose,
  size = 'medium',
  isQuestion = false,
  actions,
  children,
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  if (!open) return null;
  return (
    <Modal
      isQuestion={isQuestion}
      className={classNames(styles.dialog, size !== 'medium' && styles[size])}
      getInitialFocus={() => body.current && (findFirstControl(body.current) ?? body.current)}
      onClose={onClose}
    >
      <header className={styles.header}>
        <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
        <IconButton label="Close" icon={<CloseIcon />} size="small" onClick={onClose} />
      </header>
      <div ref={body} tabIndex={-1} className={styles.body}>
        {children}
      </div>
      {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
    </Modal>
  );
}

interface ModalProps {
  /** The accessible name, unless a title gives it. */
  label?: string;
  isQuestion?: boolean;
  className: string | undefined;
  getInitialFocus: () => HTMLElement | null;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** An open modal without a frame. */
export function Modal({
  label,
  isQuestion = false,
  className,
  getInitialFocus,
  onClose,
  onKeyDown,
  children,
}: ModalProps) {
  const Root = isQuestion ? AlertDialog.Root : BaseDialog.Root;
  return (
    <Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          aria-label={label}
          className={classNames(styles.popup, className)}
          initialFocus={() => {
            // At once: Base UI would wait a frame, and keys pressed meanwhile would reach the page.
            getInitialFocus()?.focus();
            return false;
          }}
          onKeyDown={(event) => {
            onKeyDown?.(event);
            // A modal has the keyboard to itself: no list or shortcut behind it reacts.
            event.stopPropagation();
          }}
        >
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </Root>
  );
}

/** Returns the first field, else the first action below the body, else the body's first control. */
function findFirstControl(body: HTMLElement): HTMLElement | undefined {
  const dialog = body.parentElement;
  return ['input, textarea, select', 'footer button', 'header + * :is(a, button, [tabindex="0"])']
    .flatMap((selector) => [...(dialog?.querySelectorAll<HTMLElement>(selector) ?? [])])
    .find((control) => control.checkVisibility() && !control.matches(':disabled'));
}

interface ConfirmDialogProps {
  open: boolean;
  /** The question: "Delete connection?" */
  title: string;
  confirmLabel: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** The consequences, and what can't be undone. */
  children: ReactNode;
}

export function ConfirmDialog({
  confirmLabel,
  danger = false,
  busy = false,
  onConfirm,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      isQuestion
      size="small"
      actions={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}
