import { conversationForm, panelForms } from '../../renderer/run/form/panel-forms.ts';
import { forgetStored } from './fake-forms.ts';

/** Every form empty, in main and in the page. */
export function resetForms(): void {
  forgetStored();
  for (const form of Object.values(panelForms)) form.forget();
  conversationForm(null).forget();
}
