import { type ComparedInput, promptField } from '../../run/compare/compared-input.ts';

const word = promptField('input', 'Text', 'Texts');

export const comparedSpeech: ComparedInput = {
  word,
  own: {
    sent: (input) => ('sampleRate' in input ? { input: input.text } : {}),
    read: (request) => ({ text: word.read(request) ?? '' }),
  },
};
