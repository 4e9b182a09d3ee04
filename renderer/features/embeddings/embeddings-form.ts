import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { DocumentSource } from '../../run/form/documents/document-source.ts';
import type { DocumentsView } from '../../run/form/documents/documents-form.tsx';
import { panelForms } from '../../run/form/panel-forms.ts';

export const embeddingsForm = panelForms.embeddings;

export const embeddingsInputs: DocumentSource = {
  form: embeddingsForm,
  noun: 'input',
  getText: () => embeddingsForm.state.getState().values.input.texts,
  write: (texts) => embeddingsForm.change({ input: { texts } }, { typing: true }),
};

export type VectorsView = 'list' | 'details';

interface EmbeddingsViews {
  inputsView: DocumentsView;
  vectorsView: VectorsView;
}

export const useEmbeddingsViews = create<EmbeddingsViews>()(
  persist((): EmbeddingsViews => ({ inputsView: 'lines', vectorsView: 'list' }), {
    name: 'gatehouse:embeddings-views',
  }),
);
