import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { lazyStorage } from '../../run/form/lazy-storage.ts';

interface CompletionStore {
  prompt: string;
  suffix: string;
  /** Which continuation of the result is shown. */
  choiceIndex: number;
  writePrompt: (prompt: string) => void;
  writeSuffix: (suffix: string) => void;
  showChoice: (choiceIndex: number) => void;
  /** What a recorded run was asked goes back into the boxes. */
  restore: (asked: { prompt: string; suffix: string }) => void;
}

export const useCompletion = create<CompletionStore>()(
  persist(
    (set) => ({
      prompt: '',
      suffix: '',
      choiceIndex: 0,
      writePrompt: (prompt) => set({ prompt }),
      writeSuffix: (suffix) => set({ suffix }),
      showChoice: (choiceIndex) => set({ choiceIndex }),
      restore: ({ prompt, suffix }) => set({ prompt, suffix, choiceIndex: 0 }),
    }),
    { name: 'gatehouse:completion', storage: lazyStorage<CompletionStore>() },
  ),
);
