import { type ReactNode, useEffect } from 'react';
import { useCommands } from '../lib/commands.ts';
import { undo, useUndo } from '../lib/undo.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/close.tsx';
import { CheckIcon, ErrorIcon, InfoIcon } from './icons/status.tsx';
import { dismissToast, type ShownToast, type ToastMessage, useToasts } from './show-toast.ts';
import styles from './toast.module.css';
import { UndoBar } from './undo-bars.tsx';

/** Mounted once by the app. */
export function ToastRegion() {
  const toasts = useToasts((state) => state.toasts);
  const { offers, places } = useUndo();
  // Each time something is folded into an offer it is the newest again.
  const newest = offers
    .filter((offer) => offer.undo !== null)
    .toSorted((one, other) => one.expiresAt - other.expiresAt)
    .at(-1);
  useCommands([
    {
      id: 'edit.undo',
      title: `Undo: ${newest?.message ?? ''}`,
      group: 'Edit',
      shortcut: 'Mod+Z',
      whileTyping: false,
      enabled: newest !== undefined,
      run: () => newest !== undefined && void undo(newest.id),
    },
  ]);
  return (
    <section className={styles.region} aria-label="Notifications" aria-live="polite">
      {offers.map(
        (offer) =>
          (places[offer.place] ?? 0) === 0 && <UndoBar key={`undo-${offer.id}`} offer={offer} />,
      )}
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

const showMs = 6000;

function Toast({ toast }: { toast: ShownToast }) {
  const { id, message, tone = 'info', action } = toast;
  useEffect(() => {
    if (tone === 'danger') return;
    const timer = setTimeout(() => dismissToast(id), showMs);
    return () => clearTimeout(timer);
  }, [id, tone]);

  return (
    <div className={styles.toast}>
      <span className={styles[tone]}>{icons[tone]}</span>
      <p className={styles.text}>{message}</p>
      {action !== undefined && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            dismissToast(id);
            action.onAction();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        label="Dismiss"
        icon={<CloseIcon />}
        size="small"
        onClick={() => dismissToast(id)}
      />
    </div>
  );
}

const icons: Record<NonNullable<ToastMessage['tone']>, ReactNode> = {
  info: <InfoIcon />,
  success: <CheckIcon />,
  danger: <ErrorIcon />,
};
