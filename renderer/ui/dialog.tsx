import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { DialogContext, runShortcut, useDialogShortcuts } from '../lib/commands.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/actions.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  /** Use `full` to fill the window with an image. */
  size?: 'small' | 'medium' | 'wide' | 'large' | 'full';
  /** Clicking outside doesn't close a question, because the user must answer it. */
  isQuestion?: boolean;
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
      <header className={`row-8 between fixed ${styles.header}`}>
        <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
        <IconButton label="Close" icon={<CloseIcon />} size="small" onClick={onClose} />
      </header>
      <div ref={body} tabIndex={-1} className={styles.body}>
        {children}
      </div>
      {actions !== undefined && (
        <footer className={`row-8 fixed ${styles.actions}`}>{actions}</footer>
      )}
    </Modal>
  );
}

interface ModalProps {
  /** The accessible name when there is no title. */
  label?: string;
  isQuestion?: boolean;
  className: string | undefined;
  getInitialFocus: () => HTMLElement | null;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

export function Modal({
  label,
  isQuestion = false,
  className,
  getInitialFocus,
  onClose,
  onKeyDown,
  children,
}: ModalProps) {
  const [opener] = useState(() => document.activeElement);
  const dialog = useDialogShortcuts();
  const Root = isQuestion ? AlertDialog.Root : BaseDialog.Root;
  return (
    <Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          aria-label={label}
          className={classNames(styles.popup, className)}
          initialFocus={() => {
            // Focus synchronously: Base UI waits a frame, and keys pressed meanwhile would go to
            // the page.
            getInitialFocus()?.focus();
            return false;
          }}
          {...(opener?.localName === 'main' && { finalFocus: () => returnToPanel(opener) })}
          onKeyDown={(event) => {
            onKeyDown?.(event);
            runShortcut(event.nativeEvent);
            // Stop key events so that lists behind the dialog don't react.
            event.stopPropagation();
          }}
        >
          <DialogContext value={dialog}>{children}</DialogContext>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </Root>
  );
}

/** Focuses the panel itself; by default, Base UI would focus its first control. */
function returnToPanel(panel: Element): false {
  queueMicrotask(() => {
    const isFree = document.activeElement === document.body;
    if (isFree && panel instanceof HTMLElement) panel.focus({ preventScroll: true });
  });
  return false;
}

/** Returns the marked or first field, else the first action, else the first control in the body. */
function findFirstControl(body: HTMLElement): HTMLElement | undefined {
  const dialog = body.parentElement;
  return [
    '[data-initial-focus]',
    'input, textarea, select',
    'footer button',
    'header + * :is(a, button, [tabindex="0"])',
  ]
    .flatMap((selector) => [...(dialog?.querySelectorAll<HTMLElement>(selector) ?? [])])
    .find((control) => control.checkVisibility() && !control.matches(':disabled'));
}

interface ConfirmDialogProps {
  open: boolean;
  /** The question to ask, such as "Delete connection?" */
  title: string;
  confirmLabel: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** Explains what the action does, including anything that can't be undone. */
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
