import { type ComparedInput, wordIn } from '../../run/compare/compared-input.ts';
import { inputOfRequest, requestOfInput } from './rerank-request.ts';

export const comparedRerank: ComparedInput = {
  word: wordIn('query', 'Query'),
  own: {
    sent: (input) => ('query' in input ? requestOfInput(input) : {}),
    read: inputOfRequest,
  },
};
