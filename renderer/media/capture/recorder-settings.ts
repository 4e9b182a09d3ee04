import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { SoundProcessing } from './microphone.ts';

interface RecorderSettings {
  /** Empty: whichever the system prefers. */
  microphoneId: string;
  processing: SoundProcessing;
}

/** The same wherever something is recorded. */
export const useRecorderSettings = create<RecorderSettings>()(
  persist<RecorderSettings>(
    () => ({
      microphoneId: '',
      processing: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    }),
    { name: 'gatehouse.recorder' },
  ),
);

export function chooseMicrophone(microphoneId: string): void {
  useRecorderSettings.setState({ microphoneId });
}

export function changeProcessing(change: Partial<SoundProcessing>): void {
  useRecorderSettings.setState(({ processing }) => ({ processing: { ...processing, ...change } }));
}
