import type { TextLabels } from '../../run/form/text-labels.ts';

export const imageLabels = {
  prompt: 'Prompt',
  moreConfig: 'Extra config',
} as const satisfies TextLabels<'image'>;
