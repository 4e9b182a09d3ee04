import { type ComparedInput, wordIn } from '../../run/compare/compared-input.ts';

export const comparedRerank: ComparedInput = { word: wordIn('query', 'Query') };
