import { type ComparedInput, promptField } from '../../run/compare/compared-input.ts';
import { inputOfRequest, requestOfInput } from './requested-completion.ts';

export const comparedCompletion: ComparedInput = {
  word: promptField('prompt', 'Prompt', 'Prompts'),
  own: {
    sent: (input) => ('suffix' in input ? requestOfInput(input) : {}),
    read: inputOfRequest,
  },
};
