import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { RunInput } from '../../../shared/run-input.ts';
import { lazyStorage } from '../../run/form/lazy-storage.ts';
import { firstRows, type MetadataRow, readForm, type VideoForm } from './video-form-values.ts';

interface VideoStore extends VideoForm {
  /** The names that fields are sent under, as typed. */
  wireNames: RunInput['wireNames'];
  writePrompt: (prompt: string) => void;
  /** `media:<id>`, a URL or base64; empty for none. */
  chooseImage: (image: string) => void;
  writeRow: (index: number, row: MetadataRow) => void;
  addRow: () => void;
  removeRow: (index: number) => void;
  renameField: (field: string, name: string) => void;
  resetOptions: () => void;
  /** What a recorded run was asked goes back into the boxes. */
  restore: (asked: Pick<RunInput, 'request' | 'wireNames'>) => void;
}

export const useVideo = create<VideoStore>()(
  persist(
    (set) => ({
      prompt: '',
      image: '',
      rows: firstRows,
      wireNames: {},
      writePrompt: (prompt) => set({ prompt }),
      chooseImage: (image) => set({ image }),
      writeRow: (index, row) => set(({ rows }) => ({ rows: rows.with(index, row) })),
      addRow: () => set(({ rows }) => ({ rows: [...rows, { name: '', value: '' }] })),
      removeRow: (index) => set(({ rows }) => ({ rows: rows.toSpliced(index, 1) })),
      renameField: (field, name) =>
        set(({ wireNames }) => ({ wireNames: { ...wireNames, [field]: name } })),
      resetOptions: () => set({ rows: firstRows, wireNames: {} }),
      restore: ({ request, wireNames }) => set({ ...readForm(request), wireNames }),
    }),
    { name: 'gatehouse:video', storage: lazyStorage<VideoStore>() },
  ),
);
