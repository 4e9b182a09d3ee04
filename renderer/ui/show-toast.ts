import { create } from 'zustand';

export interface ToastMessage {
  message: string;
  tone?: 'info' | 'success' | 'danger';
  action?: { label: string; onAction: () => void };
}

export type ShownToast = ToastMessage & { id: number };

export const useToasts = create<{ toasts: ShownToast[] }>(() => ({ toasts: [] }));
let lastId = 0;

/** For background work; errors of what the user just did are shown in place instead. */
export function showToast(toast: ToastMessage): void {
  lastId += 1;
  const shown = { ...toast, id: lastId };
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), shown] }));
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}
