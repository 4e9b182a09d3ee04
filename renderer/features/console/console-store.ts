/** The console's form, and what the user does to it. */
import type { ConsoleInput } from '../../../shared/operations/console/input.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const consoleForm = panelForms.console;

/** Fields of the request as they are typed. */
export function writeRequest(fields: Partial<ConsoleInput>): void {
  consoleForm.change({ input: fields }, { typing: true });
}

/** A saved or recorded request in place of what was there. */
export function openRequest(request: ConsoleInput): void {
  consoleForm.change({ input: request });
}
