import { type ComparedInput, wordIn } from '../../run/compare/compared-input.ts';

export const comparedCompletion: ComparedInput = { word: wordIn('prompt', 'Prompt', 'Prompts') };
