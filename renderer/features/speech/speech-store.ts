import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { RunInput } from '../../../shared/run-input.ts';
import { lazyStorage } from '../../run/form/lazy-storage.ts';

interface SpeechStore {
  text: string;
  /** The names that fields are sent under, as typed. */
  wireNames: RunInput['wireNames'];
  /** How raw samples are played: they have no header that says it. */
  sampleRate: number;
  channels: number;
  writeText: (text: string) => void;
  renameField: (field: string, name: string) => void;
  resetNames: () => void;
  setPcm: (pcm: { sampleRate: number; channels: number }) => void;
  /** What a recorded run was asked goes back into the boxes. */
  restore: (asked: { text: string; wireNames: RunInput['wireNames'] }) => void;
}

export const useSpeech = create<SpeechStore>()(
  persist(
    (set) => ({
      text: '',
      wireNames: {},
      sampleRate: 24_000,
      channels: 1,
      writeText: (text) => set({ text }),
      renameField: (field, name) =>
        set(({ wireNames }) => ({ wireNames: { ...wireNames, [field]: name } })),
      resetNames: () => set({ wireNames: {} }),
      setPcm: ({ sampleRate, channels }) => set({ sampleRate, channels }),
      restore: ({ text, wireNames }) => set({ text, wireNames }),
    }),
    { name: 'gatehouse:speech', storage: lazyStorage<SpeechStore>() },
  ),
);
