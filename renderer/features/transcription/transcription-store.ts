import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Media } from '../../../shared/media.ts';

export type TranscriptView = 'text' | 'segments' | 'raw';

interface TranscriptionStore {
  /** The audio that is to be transcribed. */
  mediaId: string | null;
  view: TranscriptView;
  chooseAudio: (media: Media | null) => void;
  showView: (view: TranscriptView) => void;
  /** What a recorded run was asked goes back into the panel. */
  restore: (mediaId: string | null) => void;
}

export const useTranscription = create<TranscriptionStore>()(
  persist(
    (set) => ({
      mediaId: null,
      view: 'text',
      chooseAudio: (media) => set({ mediaId: media?.id ?? null }),
      showView: (view) => set({ view }),
      restore: (mediaId) => set({ mediaId }),
    }),
    { name: 'gatehouse:transcription' },
  ),
);
