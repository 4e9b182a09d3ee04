import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { JsonObject } from '../../../shared/json.ts';
import type { CompletionInput } from '../../../shared/operations/completion/input.ts';
import { type ComparedInput, promptField } from '../../run/compare/compared-input.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { getSentCompletion } from './continuations.ts';

export const completionForm = panelForms.completion;

export function writePrompt(prompt: string): void {
  completionForm.change({ input: { prompt } }, { typing: true });
}

export function writeSuffix(suffix: string): void {
  completionForm.change({ input: { suffix } }, { typing: true });
}

export function replaceInput(input: Partial<CompletionInput>, message: string): void {
  changeWithUndo(completionForm, () => completionForm.change({ input }), message);
}

/** Which choice of the result is shown. */
export const useShownChoice = create<{ choiceIndex: number }>()(
  persist(() => ({ choiceIndex: 0 }), { name: 'gatehouse:completion-choice' }),
);

export function showChoice(choiceIndex: number): void {
  useShownChoice.setState({ choiceIndex });
}

export function toCompletionFields({ prompt, suffix }: CompletionInput): JsonObject {
  return { prompt, ...(suffix !== '' && { suffix }) };
}

export function toCompletionInput(request: JsonObject): CompletionInput {
  const { prompt, suffix } = getSentCompletion({ request, extraBody: {} });
  return { prompt, suffix };
}

export const comparedCompletion: ComparedInput = {
  word: promptField('prompt', 'Prompt', 'Prompts'),
  own: {
    sent: (input) => ('suffix' in input ? toCompletionFields(input) : {}),
    read: toCompletionInput,
  },
};
