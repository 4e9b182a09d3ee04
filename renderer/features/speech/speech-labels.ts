import type { TextLabels } from '../../run/form/text-labels.ts';

export const speechLabels = {
  text: 'Text',
} as const satisfies TextLabels<'speech'>;
