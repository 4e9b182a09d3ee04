import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { lazyStorage } from '../../run/form/lazy-storage.ts';

/** The wire name where the user has given none: what gateways of this family take. */
export const usualVoiceField = 'voice';

interface SpeechStore {
  text: string;
  /** The wire name that the voice is sent under. */
  voiceField: string;
  /** How raw samples are played: they have no header that says it. */
  sampleRate: number;
  channels: number;
  writeText: (text: string) => void;
  nameVoiceField: (voiceField: string) => void;
  setPcm: (pcm: { sampleRate: number; channels: number }) => void;
  /** What a recorded run was asked goes back into the boxes. */
  restore: (asked: { text: string; voiceField: string }) => void;
}

export const useSpeech = create<SpeechStore>()(
  persist(
    (set) => ({
      text: '',
      voiceField: usualVoiceField,
      sampleRate: 24_000,
      channels: 1,
      writeText: (text) => set({ text }),
      nameVoiceField: (voiceField) => set({ voiceField }),
      setPcm: ({ sampleRate, channels }) => set({ sampleRate, channels }),
      restore: ({ text, voiceField }) => set({ text, voiceField }),
    }),
    { name: 'gatehouse:speech', storage: lazyStorage<SpeechStore>() },
  ),
);
