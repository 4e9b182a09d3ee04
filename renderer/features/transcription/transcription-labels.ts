import type { TextLabels } from '../../run/form/text-labels.ts';

/** No input of the request is typed. */
export const transcriptionLabels = {} as const satisfies TextLabels<'transcription'>;

export const REFERENCE_LABEL = 'Reference text';
