import type { TextLabels } from '../../run/form/text-labels.ts';

export const completionLabels = {
  prompt: 'Prompt',
  suffix: 'Suffix',
} as const satisfies TextLabels<'completion'>;
