import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Media } from '../../../shared/media.ts';
import type { RunInput } from '../../../shared/run-input.ts';

export type TranscriptView = 'text' | 'segments' | 'raw';

interface TranscriptionStore {
  /** The audio that is to be transcribed. */
  mediaId: string | null;
  /** The names that fields are sent under, as typed. */
  wireNames: RunInput['wireNames'];
  view: TranscriptView;
  chooseAudio: (media: Media | null) => void;
  renameField: (field: string, name: string) => void;
  resetNames: () => void;
  showView: (view: TranscriptView) => void;
  /** What a recorded run was asked goes back into the panel. */
  restore: (asked: { mediaId: string | null; wireNames: RunInput['wireNames'] }) => void;
}

export const useTranscription = create<TranscriptionStore>()(
  persist(
    (set) => ({
      mediaId: null,
      wireNames: {},
      view: 'text',
      chooseAudio: (media) => set({ mediaId: media?.id ?? null }),
      renameField: (field, name) =>
        set(({ wireNames }) => ({ wireNames: { ...wireNames, [field]: name } })),
      resetNames: () => set({ wireNames: {} }),
      showView: (view) => set({ view }),
      restore: ({ mediaId, wireNames }) => set({ mediaId, wireNames }),
    }),
    { name: 'gatehouse:transcription' },
  ),
);
