/** The console's form, and what the user does to it. */
import { isSameJson } from '../../../shared/json.ts';
import type { ConsoleInput } from '../../../shared/operations/console/input.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const consoleForm = panelForms.console;

/** Fields of the request while typing. */
export function writeRequest(fields: Partial<ConsoleInput>): void {
  consoleForm.change({ input: fields }, { typing: true });
}

/** Takes something out of the request, which Undo brings back. */
export function removeFromRequest(fields: Partial<ConsoleInput>, message: string): void {
  changeWithUndo(consoleForm, () => consoleForm.change({ input: fields }), message);
}

/** A saved request in place of what was there, which Undo brings back; not where that is one of `kept`. */
export function openRequest(request: ConsoleInput, kept: readonly ConsoleInput[] = []): void {
  const before = consoleForm.state.getState().values.input;
  const open = () => consoleForm.change({ input: request });
  if ([emptyInputs.console, ...kept].some((one) => isSameJson(one, before))) open();
  else changeWithUndo(consoleForm, open, `${before.method} ${before.path} replaced`);
}
