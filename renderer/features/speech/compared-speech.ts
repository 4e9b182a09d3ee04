import { type ComparedInput, wordIn } from '../../run/compare/compared-input.ts';

export const comparedSpeech: ComparedInput = { word: wordIn('input', 'Text', 'Texts') };
