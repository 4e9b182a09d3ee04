import type { TextLabels } from '../../run/form/text-labels.ts';

export const imageLabels = {
  prompt: 'Prompt',
  moreConfig: 'More fields',
} as const satisfies TextLabels<'image'>;
