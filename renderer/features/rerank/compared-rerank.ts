import { type ComparedInput, promptField } from '../../run/compare/compared-input.ts';
import { inputOfRequest, requestOfInput } from './rerank-request.ts';

export const comparedRerank: ComparedInput = {
  word: promptField('query', 'Query'),
  own: {
    sent: (input) => ('query' in input ? requestOfInput(input) : {}),
    read: inputOfRequest,
  },
};
