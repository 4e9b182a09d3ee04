/** The completion panel's form, and which continuation of its result is shown. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { panelForms } from '../../run/form/panel-forms.ts';

export const completionForm = panelForms.completion;

export function writePrompt(prompt: string): void {
  completionForm.change({ input: { prompt } }, { typing: true });
}

export function writeSuffix(suffix: string): void {
  completionForm.change({ input: { suffix } }, { typing: true });
}

/** What a recorded run was asked goes back into the boxes. */
export function restore({ prompt, suffix }: { prompt: string; suffix: string }): void {
  completionForm.change({ input: { prompt, suffix } });
  showChoice(0);
}

/** The continuation becomes part of the prompt; its run stays in the history. */
export function continueFrom(text: string): void {
  completionForm.change({ input: { prompt: text }, runId: null });
  showChoice(0);
}

export const useShownChoice = create<{ choiceIndex: number }>()(
  persist(() => ({ choiceIndex: 0 }), { name: 'gatehouse:completion-choice' }),
);

export function showChoice(choiceIndex: number): void {
  useShownChoice.setState({ choiceIndex });
}
