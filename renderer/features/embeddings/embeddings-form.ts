import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { DocumentSource } from '../../run/form/documents/document-source.ts';
import type { DocumentsView } from '../../run/form/documents/documents-form.tsx';
import { panelForms } from '../../run/form/panel-forms.ts';
import type { ProjectionMethod } from './work/project-vectors.ts';
import type { Measure } from './work/vector-math.ts';

export const embeddingsForm = panelForms.embeddings;

export const embeddingsInputs: DocumentSource = {
  form: embeddingsForm,
  noun: 'input',
  getText: () => embeddingsForm.state.getState().values.input.texts,
  write: (texts) => embeddingsForm.change({ input: { texts } }, { typing: true }),
  getColumns: () => embeddingsForm.state.getState().values.input.columns,
  writeColumns: (columns) => embeddingsForm.change({ input: { columns } }),
};

export type VectorsView = 'list' | 'similarity' | 'neighbors' | 'map' | 'details';

interface EmbeddingsViews {
  inputsView: DocumentsView;
  vectorsView: VectorsView;
  measure: Measure;
  matrixShape: 'heat-map' | 'table';
  mapMethod: ProjectionMethod;
}

export const useEmbeddingsViews = create<EmbeddingsViews>()(
  persist(
    (): EmbeddingsViews => ({
      inputsView: 'lines',
      vectorsView: 'list',
      measure: 'cosine',
      matrixShape: 'heat-map',
      mapMethod: 'pca',
    }),
    { name: 'gatehouse:embeddings-views' },
  ),
);
