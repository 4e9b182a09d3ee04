import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { lazyStorage } from '../../run/form/lazy-storage.ts';
import { type ConsoleDraft, emptyDraft } from './console-draft.ts';

export interface SavedRequest {
  id: string;
  name: string;
  draft: ConsoleDraft;
}

interface ConsoleStore {
  draft: ConsoleDraft;
  /** In the order they were saved. */
  saved: SavedRequest[];
  change: (fields: Partial<ConsoleDraft>) => void;
  openDraft: (draft: ConsoleDraft) => void;
  /** One of that name is replaced. */
  save: (name: string) => void;
  removeSaved: (id: string) => void;
}

type Kept = Pick<ConsoleStore, 'draft' | 'saved'>;

/** What a new user finds saved; both can be deleted. */
const firstSaved: SavedRequest[] = [
  { id: 'models', name: 'List the models', draft: emptyDraft },
  {
    id: 'fine-tunes',
    name: 'Create a fine-tune',
    draft: { ...emptyDraft, method: 'POST', path: '/v1/fine-tunes', body: '{}' },
  },
];

export const useConsole = create<ConsoleStore>()(
  persist(
    (set) => ({
      draft: emptyDraft,
      saved: firstSaved,
      change: (fields) => set(({ draft }) => ({ draft: { ...draft, ...fields } })),
      openDraft: (draft) => set({ draft }),
      save: (name) =>
        set(({ draft, saved }) => {
          const known = saved.find((request) => request.name === name);
          const request: SavedRequest = { id: known?.id ?? crypto.randomUUID(), name, draft };
          return {
            saved: known
              ? saved.map((other) => (other === known ? request : other))
              : [...saved, request],
          };
        }),
      removeSaved: (id) =>
        set(({ saved }) => ({ saved: saved.filter((request) => request.id !== id) })),
    }),
    {
      name: 'gatehouse:console',
      partialize: ({ draft, saved }) => ({ draft, saved }),
      storage: lazyStorage<Kept>(({ saved }) => ({ draft: emptyDraft, saved })),
    },
  ),
);
