import type { TextLabels } from '../../run/form/text-labels.ts';

export const videoLabels = {
  prompt: 'Prompt',
  rows: 'Metadata',
} as const satisfies TextLabels<'video'>;
