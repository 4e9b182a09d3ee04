import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { firstStopIn } from './focus-guard.ts';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/close.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  /** `full`: as large as the window allows, for a picture. */
  size?: 'small' | 'medium' | 'large' | 'full';
  /** Buttons at the bottom right; the main one last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A modal on the platform's `<dialog>`: focus stays inside, Esc closes, focus returns. */
export function Dialog({ open, ...props }: DialogProps) {
  return open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({
  title,
  onClose,
  size = 'medium',
  actions,
  children,
}: Omit<DialogProps, 'open'>) {
  const element = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const titleId = useId();

  useEffect(() => {
    const dialog = element.current;
    const returnTo = document.activeElement;
    dialog?.showModal();
    // Not the Close button, which the platform would choose.
    (firstControl(dialog) ?? body.current)?.focus();
    return () => {
      dialog?.close();
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
    };
  }, []);

  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className={classNames(styles.dialog, size !== 'medium' && styles[size])}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        // The platform would close it at the second Escape, whatever was shown to the first.
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === element.current && isOutside(event) && onClose()}
    >
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <IconButton label="Close" icon={<CloseIcon />} size="small" onClick={onClose} />
      </header>
      <div ref={body} tabIndex={-1} className={styles.body}>
        {children}
      </div>
      {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
    </dialog>
  );
}

/** The first field, or else the first of the actions at the bottom, or else of what is shown. */
function firstControl(dialog: HTMLDialogElement | null): HTMLElement | null {
  return (
    dialog?.querySelector<HTMLElement>('input, textarea, select') ??
    dialog?.querySelector<HTMLElement>('footer button') ??
    firstStopIn(dialog?.querySelector('header + *') ?? null)
  );
}

/** A press on the backdrop lands on the dialog itself, outside its box. */
function isOutside(event: { clientX: number; clientY: number; currentTarget: Element }): boolean {
  const box = event.currentTarget.getBoundingClientRect();
  return (
    event.clientX < box.left ||
    event.clientX > box.right ||
    event.clientY < box.top ||
    event.clientY > box.bottom
  );
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
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
}

export function ConfirmDialog({
  open,
  title,
  confirmLabel,
  danger = false,
  busy = false,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      title={title}
      onClose={onClose}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
