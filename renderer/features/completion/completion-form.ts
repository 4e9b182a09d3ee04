import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { CompletionInput } from '../../../shared/operations/completion/request.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const completionForm = panelForms.completion;

export function replaceInput(input: Partial<CompletionInput>, message: string): void {
  changeWithUndo(completionForm, () => completionForm.change({ input }), message);
}

interface ShownChoice {
  runId: string | null;
  choiceIndex: number;
}

/** The selected choice of one run; other runs show their first choice. */
export const useShownChoice = create<ShownChoice>()(
  persist((): ShownChoice => ({ runId: null, choiceIndex: 0 }), {
    name: 'gatehouse:completion-choice',
  }),
);
