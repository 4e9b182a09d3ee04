import { Toast } from '@base-ui/react/toast';

export interface ToastMessage {
  message: string;
  tone?: 'info' | 'success' | 'danger';
  action?: { label: string; onAction: () => void };
}

export const toastManager = Toast.createToastManager<ToastMessage>();

/** Use for background work. Show errors from user actions in place instead. */
export function showToast(toast: ToastMessage): void {
  toastManager.add({
    description: toast.message,
    data: toast,
    timeout: toast.tone === 'danger' ? 0 : 6000,
  });
}
