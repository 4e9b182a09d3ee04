import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/actions.tsx';
import { CheckIcon, ErrorIcon, InfoIcon } from './icons/status.tsx';
import styles from './toast.module.css';

export interface ToastMessage {
  message: string;
  tone?: 'info' | 'success' | 'danger';
  action?: { label: string; onAction: () => void };
}

type ShownToast = ToastMessage & { id: number };

const useToasts = create<{ toasts: ShownToast[] }>(() => ({ toasts: [] }));
let lastId = 0;

/** For work that went on in the background; errors of what the user just did stand in place instead. */
export function showToast(toast: ToastMessage): void {
  lastId += 1;
  const shown = { ...toast, id: lastId };
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), shown] }));
}

function dismiss(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** Mounted once by the app. */
export function ToastRegion() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <section className={styles.region} aria-label="Notifications" aria-live="polite">
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
    const timer = setTimeout(() => dismiss(id), showMs);
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
            dismiss(id);
            action.onAction();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={<CloseIcon />} size="small" onClick={() => dismiss(id)} />
    </div>
  );
}

const icons: Record<NonNullable<ToastMessage['tone']>, ReactNode> = {
  info: <InfoIcon />,
  success: <CheckIcon />,
  danger: <ErrorIcon />,
};
