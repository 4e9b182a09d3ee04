import { create } from 'zustand';

export interface PastedNotice {
  message: string;
  /** Saves the request's connection or key; null if there is nothing to save. */
  action: { label: string; run: () => void } | null;
}

/** Describes the opened request until the user dismisses the notice or opens another request. */
export const usePastedNotice = create<{ notice: PastedNotice | null }>(() => ({ notice: null }));

export function showPastedNotice(notice: PastedNotice): void {
  usePastedNotice.setState({ notice });
}

export function dismissPastedNotice(): void {
  usePastedNotice.setState({ notice: null });
}
