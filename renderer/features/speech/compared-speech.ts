import { type ComparedInput, wordIn } from '../../run/compare/compared-input.ts';

const word = wordIn('input', 'Text', 'Texts');

export const comparedSpeech: ComparedInput = {
  word,
  own: {
    sent: (input) => ('sampleRate' in input ? { input: input.text } : {}),
    read: (request) => ({ text: word.read(request) ?? '' }),
  },
};
