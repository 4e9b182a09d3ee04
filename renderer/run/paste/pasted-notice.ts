import { create } from 'zustand';

export interface PastedNotice {
  message: string;
  /** Saves the request's connection or key; null if there is nothing to save. */
  action: { label: string; run: () => void } | null;
}

/** Says what was opened, until the user dismisses it or opens another request. */
export const usePastedNotice = create<{ notice: PastedNotice | null }>(() => ({ notice: null }));

export function showPastedNotice(notice: PastedNotice): void {
  usePastedNotice.setState({ notice });
}

export function dismissPastedNotice(): void {
  usePastedNotice.setState({ notice: null });
}
