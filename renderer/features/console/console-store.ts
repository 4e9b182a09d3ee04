/** The console's form, and what the user does to it. */
import type { ConsoleInput } from '../../../shared/operations/console/input.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { offerUndo } from '../../lib/undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const consoleForm = panelForms.console;

/** Fields of the request as they are typed. */
export function writeRequest(fields: Partial<ConsoleInput>): void {
  consoleForm.change({ input: fields }, { typing: true });
}

/** Of the notices that offer to bring requests back. */
export const undoPlace = 'console-requests';

/**
 * A saved or recorded request in place of what was there, which Undo brings back; not where that is one of
 * `kept`, or was never touched.
 */
export function openRequest(request: ConsoleInput, kept: readonly ConsoleInput[] = []): void {
  const before = consoleForm.state.getState().values.input;
  consoleForm.change({ input: request });
  const isKept = [request, emptyInputs.console, ...kept].some((one) => isSame(one, before));
  if (isKept) return;
  offerUndo({
    message: `${before.method} ${before.path} replaced`,
    place: undoPlace,
    undo: () => consoleForm.change({ input: before }),
  });
}

/** Field by field: what storage gives back may have its fields in another order. */
function isSame(one: ConsoleInput, other: ConsoleInput): boolean {
  const { method, path, headers, bodyKind, body } = other;
  return (
    one.method === method &&
    one.path === path &&
    one.headers === headers &&
    one.bodyKind === bodyKind &&
    one.body === body &&
    one.file?.mediaId === other.file?.mediaId &&
    JSON.stringify(one.fields) === JSON.stringify(other.fields)
  );
}
