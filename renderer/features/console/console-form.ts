import { isSameJson } from '../../../shared/json.ts';
import type { ConsoleInput } from '../../../shared/operations/console/request.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const consoleForm = panelForms.console;

export function writeRequest(fields: Partial<ConsoleInput>): void {
  consoleForm.change({ input: fields }, { typing: true });
}

export function removeFromRequest(fields: Partial<ConsoleInput>, message: string): void {
  changeWithUndo(consoleForm, () => consoleForm.change({ input: fields }), message);
}

/** Offers Undo unless the previous request was empty or is one of `saved`. */
export function openRequest(request: ConsoleInput, saved: readonly ConsoleInput[] = []): void {
  const before = consoleForm.state.getState().values.input;
  const open = () => consoleForm.change({ input: request });
  if ([emptyInputs.console, ...saved].some((one) => isSameJson(one, before))) open();
  else changeWithUndo(consoleForm, open, `${before.method} ${before.path} replaced`);
}
