import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { JsonObject } from '../../../shared/json.ts';
import { lazyStorage } from '../../run/form/lazy-storage.ts';
import { type ImageSettings, noSettings, readSettings } from './image-settings-values.ts';
import { type PictureInput, readContents, type Turn } from './turns.ts';

interface ImageStore extends ImageSettings {
  prompt: string;
  images: PictureInput[];
  /** The contents so far, which go along before the prompt. */
  earlier: Turn[];
  writePrompt: (prompt: string) => void;
  addImages: (images: readonly PictureInput[]) => void;
  removeImage: (index: number) => void;
  /** The next prompt follows these turns. */
  continueFrom: (earlier: Turn[]) => void;
  removeTurn: (index: number) => void;
  clearTurns: () => void;
  changeSettings: (settings: Partial<ImageSettings>) => void;
  resetSettings: () => void;
  /** What a recorded run was asked goes back into the boxes. */
  restore: (request: JsonObject) => void;
}

export const useImage = create<ImageStore>()(
  persist(
    (set) => ({
      prompt: '',
      images: [],
      earlier: [],
      ...noSettings,
      writePrompt: (prompt) => set({ prompt }),
      addImages: (added) => set(({ images }) => ({ images: [...images, ...added] })),
      removeImage: (index) => set(({ images }) => ({ images: images.toSpliced(index, 1) })),
      continueFrom: (earlier) => set({ earlier, prompt: '', images: [] }),
      removeTurn: (index) => set(({ earlier }) => ({ earlier: earlier.toSpliced(index, 1) })),
      clearTurns: () => set({ earlier: [] }),
      changeSettings: (settings) => set(settings),
      resetSettings: () => set(noSettings),
      restore: (request) =>
        set({ ...readContents(request.contents), ...readSettings(request.generationConfig) }),
    }),
    { name: 'gatehouse:image', storage: lazyStorage<ImageStore>() },
  ),
);
