import type { TextLabels } from '../../run/form/text-labels.ts';

export const rerankLabels = {
  query: 'Query',
  documents: 'Documents',
} as const satisfies TextLabels<'rerank'>;
