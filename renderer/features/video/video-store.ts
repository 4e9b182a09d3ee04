import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { JsonObject } from '../../../shared/json.ts';
import type { RenamableVideoField } from '../../../shared/operations/video/fields.ts';
import { lazyStorage } from '../../run/form/lazy-storage.ts';
import { firstRows, type MetadataRow, readForm, type VideoForm } from './video-form-values.ts';

interface VideoStore extends VideoForm {
  writePrompt: (prompt: string) => void;
  /** `media:<id>`, a URL or base64; empty for none. */
  chooseImage: (image: string) => void;
  writeRow: (index: number, row: MetadataRow) => void;
  addRow: () => void;
  removeRow: (index: number) => void;
  renameField: (field: RenamableVideoField, wireName: string) => void;
  resetOptions: () => void;
  /** What a recorded run was asked goes back into the boxes. */
  restore: (request: JsonObject) => void;
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
      renameField: (field, wireName) =>
        set(({ wireNames }) => ({ wireNames: { ...wireNames, [field]: wireName } })),
      resetOptions: () => set({ rows: firstRows, wireNames: {} }),
      restore: (request) => set(readForm(request)),
    }),
    { name: 'gatehouse:video', storage: lazyStorage<VideoStore>() },
  ),
);
