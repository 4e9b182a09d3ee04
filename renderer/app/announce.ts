import { create } from 'zustand';

/** What the polite live region says; the number makes the same sentence heard twice. */
export const useAnnouncement = create<{ text: string; count: number }>(() => ({
  text: '',
  count: 0,
}));

export function announce(text: string): void {
  useAnnouncement.setState(({ count }) => ({ text, count: count + 1 }));
}
