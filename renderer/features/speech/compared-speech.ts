import { type ComparedInput, createPromptField } from '../../run/compare/compared-input.ts';

const promptField = createPromptField('input', 'Text', 'Texts');

export const comparedSpeech: ComparedInput = {
  promptField,
  own: {
    write: (input) => ('sampleRate' in input ? { input: input.text } : {}),
    read: (request) => ({ text: promptField.read(request) ?? '' }),
  },
};
