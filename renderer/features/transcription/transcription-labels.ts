import type { TextLabels } from '../../run/form/text-labels.ts';

/** The user types no input of the request. */
export const transcriptionLabels = {} as const satisfies TextLabels<'transcription'>;

export const REFERENCE_LABEL = 'Reference text';
