import type { TextLabels } from '../../run/form/text-labels.ts';

export const consoleLabels = {
  path: 'Path',
  headers: 'Headers',
  body: 'Body',
  fields: 'Form fields',
} as const satisfies TextLabels<'console'>;
