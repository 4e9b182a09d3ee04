import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** A run and what it was asked: the boxes may have changed since. */
export interface ShownRun {
  runId: string;
  prompt: string;
  suffix: string;
  echo: boolean;
}

interface CompletionStore {
  prompt: string;
  suffix: string;
  /** The run in the result, also after a reload. */
  shown: ShownRun | null;
  choiceIndex: number;
  writePrompt: (prompt: string) => void;
  writeSuffix: (suffix: string) => void;
  showRun: (shown: ShownRun) => void;
  showChoice: (choiceIndex: number) => void;
  /** The continuation becomes part of the prompt; the run stays in the inspector. */
  continueFrom: (text: string) => void;
  clearResult: () => void;
}

export const useCompletion = create<CompletionStore>()(
  persist(
    (set) => ({
      prompt: '',
      suffix: '',
      shown: null,
      choiceIndex: 0,
      writePrompt: (prompt) => set({ prompt }),
      writeSuffix: (suffix) => set({ suffix }),
      showRun: (shown) => set({ shown, choiceIndex: 0 }),
      showChoice: (choiceIndex) => set({ choiceIndex }),
      continueFrom: (text) => set({ prompt: text, shown: null, choiceIndex: 0 }),
      clearResult: () => set({ shown: null, choiceIndex: 0 }),
    }),
    { name: 'gatehouse:completion' },
  ),
);
