import type { TextLabels } from '../../run/form/text-labels.ts';

export const embeddingsLabels = {
  texts: 'Inputs',
} as const satisfies TextLabels<'embeddings'>;
