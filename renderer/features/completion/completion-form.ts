import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { CompletionInput } from '../../../shared/operations/completion/request.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

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

export const useShownChoice = create<{ choiceIndex: number }>()(
  persist(() => ({ choiceIndex: 0 }), { name: 'gatehouse:completion-choice' }),
);

export function showChoice(choiceIndex: number): void {
  useShownChoice.setState({ choiceIndex });
}
