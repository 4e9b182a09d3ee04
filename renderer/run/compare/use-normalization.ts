import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { TranscriptNormalization } from './metrics/transcript-units.ts';

/** What is not a difference between two transcripts, in this window: as error rates are usually stated. */
export const useNormalization = create<TranscriptNormalization>()(
  persist(
    (): TranscriptNormalization => ({
      ignoreCase: true,
      ignorePunctuation: true,
      numbersAsDigits: true,
    }),
    { name: 'gatehouse:transcript-normalization' },
  ),
);
