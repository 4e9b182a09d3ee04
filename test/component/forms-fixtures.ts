import { useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { panelForms, toolsForm } from '../../renderer/run/form/panel-forms.ts';
import { forgetStored } from './fake-forms.ts';

/** Empties every form on the page and in the fake main process. */
export function resetForms(): void {
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  forgetStored();
  for (const form of Object.values(panelForms)) form.forget();
  toolsForm.forget();
}
